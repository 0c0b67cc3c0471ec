import type { Db } from '#server/db/database.ts'

/** An intent to delete an account; its id is the provider's idempotency key (decision C5). */
export interface Deletion {
  id: string
  accountId: string
}

/**
 * Writes down the intent. One that was left behind before `leftBefore` is taken over, with its id; null while another request is carrying one out.
 */
export async function beginDeletion(
  db: Db,
  { id, accountId }: Deletion,
  { now, leftBefore }: { now: number; leftBefore: number },
): Promise<Deletion | null> {
  const row = await db
    .insertInto('account_deletion')
    .values({ id, account_id: accountId, asked_at: now })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ asked_at: now }).where('account_deletion.asked_at', '<=', leftBefore),
    )
    .returning('id')
    .executeTakeFirst()
  return row ? { id: row.id, accountId } : null
}

export async function findDeletion(db: Db, id: string): Promise<Deletion | null> {
  const row = await db.selectFrom('account_deletion').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? { id: row.id, accountId: row.account_id } : null
}

/** True for the one that ends it. */
export async function endDeletion(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('account_deletion').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/**
 * Closes an account for its owner: tokens die, names are free again (decision B5), and what only an open account needs is erased. Name and address
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
