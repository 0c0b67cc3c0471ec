import type { Db } from '#server/db/database.ts'

/** For the deletion of an account: what roll calls asked it, and its answers. */
export async function deleteAnswers(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('rollCallMember').where('accountId', '=', accountId).execute()
}
