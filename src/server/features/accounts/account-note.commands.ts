import type { Db } from '#server/db/database.ts'

/** Deletes for good what officers noted about a person. */
export async function deleteNotesAbout(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('memberNote').where('accountId', '=', accountId).execute()
}
