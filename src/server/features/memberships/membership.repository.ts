import { readFlags, writeFlags } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import { type Membership } from './membership.queries.ts'

export type SubscriptionChange = Pick<
  Membership,
  'levelKey' | 'cancelAtPeriodEnd' | 'pastDueSince' | 'nextAttemptAt' | 'gaveUpAt' | 'endedAt' | 'renewalAmount'
> & { stripeStatus: string; endsAt: number }

export async function updateFromSubscription(
  db: Db,
  id: string,
  change: SubscriptionChange,
  now: number,
): Promise<void> {
  await db
    .updateTable('membership')
    .set({ ...writeFlags(change, 'cancelAtPeriodEnd'), updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/** Ends a membership at an instant, such as after a refund. It stays the account's current row. */
export async function endMembership(
  db: Db,
  id: string,
  { endedAt, now }: { endedAt: number; now: number },
): Promise<void> {
  await db.updateTable('membership').set({ endedAt, updatedAt: now }).where('id', '=', id).execute()
}

/** The membership that a newer one replaced; null when there was none or it had already ended. */
export async function findReplacedMembership(
  db: Db,
  { accountId, startedAt }: Pick<Membership, 'accountId' | 'startedAt'>,
): Promise<Membership | null> {
  const row = await db
    .selectFrom('membership')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('isCurrent', 'is', null)
    .where('endedAt', '=', startedAt)
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? readFlags(row, 'cancelAtPeriodEnd') : null
}

/** Makes an earlier membership current again, as a manually renewed term. */
export async function resumeMembership(
  db: Db,
  { ended, resumed }: { ended: string; resumed: string },
  now: number,
): Promise<void> {
  await db.updateTable('membership').set({ isCurrent: null, updatedAt: now }).where('id', '=', ended).execute()
  await db
    .updateTable('membership')
    .set({
      isCurrent: 1,
      endedAt: null,
      stripeSubscriptionId: null,
      stripeStatus: null,
      cancelAtPeriodEnd: 0,
      pastDueSince: null,
      nextAttemptAt: null,
      gaveUpAt: null,
      renewalAmount: null,
      subscriptionImportedAt: null,
      updatedAt: now,
    })
    .where('id', '=', resumed)
    .execute()
}

/** Sets the end of a manually renewed term, later or earlier. */
export async function setMembershipEnd(
  db: Db,
  id: string,
  { endsAt, now }: { endsAt: number; now: number },
): Promise<void> {
  await db.updateTable('membership').set({ endsAt, updatedAt: now }).where('id', '=', id).execute()
}

/**
 * Current memberships that may need a reminder: they end soon or ended recently, or have an unpaid renewal. Excludes lifetime memberships
 * and deactivated accounts.
 */
export async function listMembershipsNearEnd(
  db: Db,
  { endsAfter, endsBefore, after, limit }: { endsAfter: number; endsBefore: number; after: string; limit: number },
): Promise<Membership[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.accountId')
    .selectAll('membership')
    .where('isCurrent', '=', 1)
    .where('kind', '=', 'RECURRING')
    .where('deactivatedBy', 'is', null)
    .where('membership.id', '>', after)
    .where((eb) =>
      eb.or([
        eb.and([eb('endsAt', '>', endsAfter), eb('endsAt', '<', endsBefore)]),
        eb('pastDueSince', '>', endsAfter),
        eb('endedAt', '>', endsAfter),
      ]),
    )
    .orderBy('membership.id')
    .limit(limit)
    .execute()
  return rows.map((row) => readFlags(row, 'cancelAtPeriodEnd'))
}

/** Whether it is its account's current or last membership. */
export async function isCurrentMembership(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('membership').select('isCurrent').where('id', '=', id).executeTakeFirst()
  return row?.isCurrent === 1
}
