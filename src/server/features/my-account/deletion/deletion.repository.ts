import type { Db } from '#server/db/database.ts'
import type { AccountDeletionTable } from '#server/db/account-schema.ts'

/** An intent to delete an account; its id is the provider's idempotency key (docs/product-rules.md#deleting-an-account). */
export interface Deletion {
  id: string
  accountId: string
  /** Its owner deletes it, or officers end it on request or on death. */
  ending: 'self' | 'request' | 'deceased'
  /** The account of the officer, or 'webmaster'; null: its owner. */
  askedBy: string | null
  approvedBy: string | null
  reason: string | null
}

/**
 * Writes down the intent. One that was left behind before `leftBefore` is taken over, with its id; null while another request is carrying one out.
 */
export async function beginDeletion(
  db: Db,
  wish: Deletion,
  { now, leftBefore }: { now: number; leftBefore: number },
): Promise<Deletion | null> {
  const { id, accountId, ending, askedBy, approvedBy, reason } = wish
  const set = { asked_at: now, ending, asked_by: askedBy, approved_by: approvedBy, reason }
  const row = await db
    .insertInto('account_deletion')
    .values({ id, account_id: accountId, ...set })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet(set).where('account_deletion.asked_at', '<=', leftBefore),
    )
    .returning('id')
    .executeTakeFirst()
  return row ? { ...wish, id: row.id } : null
}

export async function findDeletion(db: Db, id: string): Promise<Deletion | null> {
  const row = await db.selectFrom('account_deletion').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toDeletion(row) : null
}

export async function findDeletionOf(db: Db, accountId: string): Promise<Deletion | null> {
  const row = await db.selectFrom('account_deletion').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  return row ? toDeletion(row) : null
}

/** True for the one that ends it. */
export async function endDeletion(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('account_deletion').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/**
 * Closes an account for its owner: tokens die, names are free again (docs/product-rules.md#usernames), and what only an open account needs is erased. Name and address
 * stay with the payments, as the books require and the privacy policy says.
 */
export async function closeAccount(db: Db, accountId: string, now: number): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({
      deactivated_by: 'self' as const,
      token_version: eb('token_version', '+', 1),
      password_hash: '',
      username: accountId,
      updated_at: now,
    }))
    .where('id', '=', accountId)
    .execute()
  await db.deleteFrom('login_name').where('account_id', '=', accountId).execute()
  // It became this account and still holds the password's hash.
  await db.deleteFrom('pending_registration').where('id', '=', accountId).execute()
}

/** Nothing of a membership renews any more; what is paid for goes on to its end. */
export async function stopRenewing(db: Db, accountId: string, now: number): Promise<void> {
  await db
    .updateTable('membership')
    .set({ cancel_at_period_end: 1, updated_at: now })
    .where('account_id', '=', accountId)
    .where('is_current', '=', 1)
    .where('kind', '=', 'RECURRING')
    .execute()
}

/** The membership whose subscription was ended at once is over: what was paid for had run out. */
export async function endSubscribed(
  db: Db,
  accountId: string,
  { subscriptionId, now }: { subscriptionId: string; now: number },
): Promise<void> {
  await db
    .updateTable('membership')
    .set({ ended_at: now, updated_at: now })
    .where('account_id', '=', accountId)
    .where('stripe_subscription_id', '=', subscriptionId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Nothing of what somebody who died held runs any longer. */
export async function endMemberships(db: Db, accountId: string, now: number): Promise<void> {
  await db
    .updateTable('membership')
    .set({ ended_at: now, updated_at: now })
    .where('account_id', '=', accountId)
    .where('is_current', '=', 1)
    .where('ended_at', 'is', null)
    .execute()
}

/** Remembers that officers ended an account, and why. */
export async function recordEnd(
  db: Db,
  {
    accountId,
    ending,
    endedBy,
    now,
  }: { accountId: string; ending: 'request' | 'deceased'; endedBy: string; now: number },
): Promise<void> {
  await db
    .insertInto('account_end')
    .values({ account_id: accountId, ending, ended_by: endedBy, ended_at: now })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute()
}

/** How officers ended an account; null when they did not. */
export async function findEnd(
  db: Db,
  accountId: string,
): Promise<{ ending: 'request' | 'deceased'; endedAt: number } | null> {
  const row = await db.selectFrom('account_end').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  return row ? { ending: row.ending, endedAt: row.ended_at } : null
}

/** How the accounts of an address were ended by officers; none where somebody uses the address for an account that is open. */
export async function listEndsAt(db: Db, emailKey: string): Promise<('request' | 'deceased')[]> {
  const rows = await db
    .selectFrom('account')
    .leftJoin('account_end', 'account_end.account_id', 'account.id')
    .select(['account.deactivated_by as deactivatedBy', 'account_end.ending'])
    .where('account.email_key', '=', emailKey)
    .execute()
  if (rows.some(({ deactivatedBy }) => deactivatedBy === null)) return []
  return rows.flatMap(({ ending }) => (ending === null ? [] : [ending]))
}

function toDeletion(row: Omit<AccountDeletionTable, 'ending'> & { ending: Deletion['ending'] }): Deletion {
  return {
    id: row.id,
    accountId: row.account_id,
    ending: row.ending,
    askedBy: row.asked_by,
    approvedBy: row.approved_by,
    reason: row.reason,
  }
}
