import type { Db } from '#server/db/database.ts'
import type { AccountDeletionTable } from '#server/db/schema/account-schema.ts'

/**
 * An intent to delete an account; its id is the idempotency key at the card provider
 * (docs/product-rules.md#deleting-an-account).
 */
export interface DeletionIntent {
  id: string
  accountId: string
  /** 'self': deleted by its owner; otherwise officers ended it. */
  ending: 'self' | 'request' | 'deceased'
  /** Account id of the officer, or 'webmaster'; null: the owner. */
  askedBy: string | null
  approvedBy: string | null
  reason: string | null
}

/**
 * Records the intent. Takes over an intent older than `staleBefore`, keeping its id. Returns null if another request is
 * processing one.
 */
export async function beginDeletion(
  db: Db,
  deletion: DeletionIntent,
  { now, staleBefore }: { now: number; staleBefore: number },
): Promise<DeletionIntent | null> {
  const { id, accountId, ending, askedBy, approvedBy, reason } = deletion
  const set = { asked_at: now, ending, asked_by: askedBy, approved_by: approvedBy, reason }
  const row = await db
    .insertInto('account_deletion')
    .values({ id, account_id: accountId, ...set })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet(set).where('account_deletion.asked_at', '<=', staleBefore),
    )
    .returning('id')
    .executeTakeFirst()
  return row ? { ...deletion, id: row.id } : null
}

export async function findDeletion(db: Db, id: string): Promise<DeletionIntent | null> {
  const row = await db.selectFrom('account_deletion').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toDeletion(row) : null
}

export async function findDeletionByAccount(db: Db, accountId: string): Promise<DeletionIntent | null> {
  const row = await db.selectFrom('account_deletion').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  return row ? toDeletion(row) : null
}

/** Returns true only for the call that deletes the intent. */
export async function deleteDeletionIntent(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('account_deletion').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/**
 * Closes an account: invalidates tokens, releases its names (docs/product-rules.md#usernames) and erases what only an
 * open account needs. Name and address stay with the payments, as bookkeeping and the privacy policy require.
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
  // The registration this account was created from still holds the password hash.
  await db.deleteFrom('pending_registration').where('id', '=', accountId).execute()
}

/** Cancels the renewal; the membership runs to the end of the paid period. */
export async function cancelRenewal(db: Db, accountId: string, now: number): Promise<void> {
  await db
    .updateTable('membership')
    .set({ cancel_at_period_end: 1, updated_at: now })
    .where('account_id', '=', accountId)
    .where('is_current', '=', 1)
    .where('kind', '=', 'RECURRING')
    .execute()
}

/** Ends the membership of a subscription that was canceled immediately, e.g. because the paid period had run out. */
export async function endSubscribedMembership(
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

/** Ends the current membership immediately, for a member who died. */
export async function endMemberships(db: Db, accountId: string, now: number): Promise<void> {
  await db
    .updateTable('membership')
    .set({ ended_at: now, updated_at: now })
    .where('account_id', '=', accountId)
    .where('is_current', '=', 1)
    .where('ended_at', 'is', null)
    .execute()
}

/** Records that officers ended an account, and how. */
export async function recordAccountEnd(
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

function toDeletion(row: Omit<AccountDeletionTable, 'ending'> & { ending: DeletionIntent['ending'] }): DeletionIntent {
  return {
    id: row.id,
    accountId: row.account_id,
    ending: row.ending,
    askedBy: row.asked_by,
    approvedBy: row.approved_by,
    reason: row.reason,
  }
}
