import type { Db } from '#server/db/database.ts'
import type { EmailChangeTable } from '#server/db/schema/account-schema.ts'

/** A requested email address that has not been confirmed yet. */
export interface EmailChange {
  accountId: string
  email: string
  askedAt: number
  /** Account id of the officer who requested it, or 'webmaster'; null: the owner. */
  askedBy: string | null
  /** The second officer, if the account held a role. */
  approvedBy: string | null
  reason: string | null
}

export async function findEmailChange(db: Db, accountId: string): Promise<EmailChange | null> {
  const row = await db.selectFrom('emailChange').selectAll().where('accountId', '=', accountId).executeTakeFirst()
  return row ? toEmailChange(row) : null
}

function toEmailChange(row: EmailChangeTable): EmailChange {
  return {
    accountId: row.accountId,
    email: row.email,
    askedAt: row.askedAt,
    askedBy: row.askedBy,
    approvedBy: row.approvedBy,
    reason: row.reason,
  }
}
