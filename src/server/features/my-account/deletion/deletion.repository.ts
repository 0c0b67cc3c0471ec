import type { Selectable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { AccountDeletionTable } from '#server/db/schema/account-schema.ts'

/**
 * An intent to delete an account; its id is the idempotency key at the card provider
 * (docs/product-rules.md#deleting-an-account).
 */
export type DeletionIntent = Omit<Selectable<AccountDeletionTable>, 'askedAt'>

/**
 * Records the intent. Takes over an intent older than `staleBefore`, keeping its id. Returns null if another request is
 * processing one.
 */
export async function beginDeletion(
  db: Db,
  deletion: DeletionIntent,
  { now, staleBefore }: { now: number; staleBefore: number },
): Promise<DeletionIntent | null> {
  const { id, ...set } = { ...deletion, askedAt: now }
  const row = await db
    .insertInto('accountDeletion')
    .values({ id, ...set })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet(set).where('accountDeletion.askedAt', '<=', staleBefore),
    )
    .returning('id')
    .executeTakeFirst()
  return row ? { ...deletion, id: row.id } : null
}

export async function findDeletion(db: Db, id: string): Promise<DeletionIntent | null> {
  const row = await db.selectFrom('accountDeletion').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

export async function findDeletionByAccount(db: Db, accountId: string): Promise<DeletionIntent | null> {
  const row = await db.selectFrom('accountDeletion').selectAll().where('accountId', '=', accountId).executeTakeFirst()
  return row ?? null
}

/** Returns true only for the call that deletes the intent. */
export async function deleteDeletionIntent(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('accountDeletion').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Cancels the renewal; the membership runs to the end of the paid period. */
export async function cancelRenewal(db: Db, accountId: string, now: number): Promise<void> {
  await db
    .updateTable('membership')
    .set({ cancelAtPeriodEnd: 1, updatedAt: now })
    .where('accountId', '=', accountId)
    .where('isCurrent', '=', 1)
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
    .set({ endedAt: now, updatedAt: now })
    .where('accountId', '=', accountId)
    .where('stripeSubscriptionId', '=', subscriptionId)
    .where('endedAt', 'is', null)
    .execute()
}

/** Ends the current membership immediately, for a member who died. */
export async function endMemberships(db: Db, accountId: string, now: number): Promise<void> {
  await db
    .updateTable('membership')
    .set({ endedAt: now, updatedAt: now })
    .where('accountId', '=', accountId)
    .where('isCurrent', '=', 1)
    .where('endedAt', 'is', null)
    .execute()
}
