import type { Db } from '#server/db/database.ts'
import { type EmailChange } from './email-change.queries.ts'

/** Stores the requested address; replaces an earlier request. */
export async function saveEmailChange(db: Db, change: EmailChange): Promise<void> {
  await db
    .insertInto('emailChange')
    .values(change)
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(change))
    .execute()
}

export async function deleteEmailChange(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('emailChange').where('accountId', '=', accountId).execute()
}

/** Deletes requests whose link expired long ago: unconfirmed addresses are not kept. */
export async function deleteOldEmailChanges(db: Db, before: number): Promise<void> {
  await db.deleteFrom('emailChange').where('askedAt', '<', before).execute()
}
