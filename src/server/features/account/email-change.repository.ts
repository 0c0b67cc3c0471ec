import type { Db } from '#server/db/database.ts'
import type { EmailChangeTable } from '#server/db/account-schema.ts'

/** An address that an account is to move to once it was confirmed from there. */
export interface EmailChange {
  accountId: string
  email: string
  askedAt: number
  /** The account of the officer who asked for it, or 'webmaster'; null: its owner did. */
  askedBy: string | null
  /** The second officer, where the account held a role. */
  approvedBy: string | null
  reason: string | null
}

/** Remembers the address an account asked for; a later one takes its place. */
export async function saveEmailChange(db: Db, change: EmailChange): Promise<void> {
  const { accountId, email, askedAt, askedBy, approvedBy, reason } = change
  const row = { email, asked_at: askedAt, asked_by: askedBy, approved_by: approvedBy, reason }
  await db
    .insertInto('email_change')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
}

/** The address an account is to move to; null when there is none. */
export async function findEmailChange(db: Db, accountId: string): Promise<EmailChange | null> {
  const row = await db.selectFrom('email_change').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  return row ? toEmailChange(row) : null
}

export async function forgetEmailChange(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('email_change').where('account_id', '=', accountId).execute()
}

/** Those whose link has long ended: addresses nobody confirmed do not stay. */
export async function forgetUnconfirmedEmailChanges(db: Db, before: number): Promise<void> {
  await db.deleteFrom('email_change').where('asked_at', '<', before).execute()
}

function toEmailChange(row: EmailChangeTable): EmailChange {
  return {
    accountId: row.account_id,
    email: row.email,
    askedAt: row.asked_at,
    askedBy: row.asked_by,
    approvedBy: row.approved_by,
    reason: row.reason,
  }
}
