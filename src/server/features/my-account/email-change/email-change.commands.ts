import type { Db } from '#server/db/database.ts'
import { type EmailChange } from './email-change.queries.ts'

/** Stores the requested address; replaces an earlier request. */
export async function saveEmailChange(db: Db, change: EmailChange): Promise<void> {
  const { accountId, email, askedAt, askedBy, approvedBy, reason } = change
  const row = { email, asked_at: askedAt, asked_by: askedBy, approved_by: approvedBy, reason }
  await db
    .insertInto('email_change')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
}

export async function deleteEmailChange(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('email_change').where('account_id', '=', accountId).execute()
}

/** Deletes requests whose link expired long ago: unconfirmed addresses are not kept. */
export async function deleteOldEmailChanges(db: Db, before: number): Promise<void> {
  await db.deleteFrom('email_change').where('asked_at', '<', before).execute()
}
