import type { Db } from '#server/db/database.ts'
import { type Membership, toMembership } from './membership.queries.ts'

export async function findMembershipBySubscription(db: Db, stripeSubscriptionId: string): Promise<Membership | null> {
  const row = await db
    .selectFrom('membership')
    .selectAll()
    .where('stripe_subscription_id', '=', stripeSubscriptionId)
    .executeTakeFirst()
  return row ? toMembership(row) : null
}

export interface SubscriptionChange {
  levelKey: string
  stripeStatus: string
  endsAt: number
  cancelAtPeriodEnd: boolean
  pastDueSince: number | null
  nextAttemptAt: number | null
  gaveUpAt: number | null
  endedAt: number | null
  renewalAmount: number | null
}

export async function updateFromSubscription(
  db: Db,
  id: string,
  change: SubscriptionChange,
  now: number,
): Promise<void> {
  await db
    .updateTable('membership')
    .set({
      level_key: change.levelKey,
      stripe_status: change.stripeStatus,
      ends_at: change.endsAt,
      cancel_at_period_end: change.cancelAtPeriodEnd ? 1 : 0,
      past_due_since: change.pastDueSince,
      next_attempt_at: change.nextAttemptAt,
      gave_up_at: change.gaveUpAt,
      ended_at: change.endedAt,
      renewal_amount: change.renewalAmount,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/** Ends a membership at an instant, such as after a refund. It stays the account's current row. */
export async function endMembership(
  db: Db,
  id: string,
  { endedAt, now }: { endedAt: number; now: number },
): Promise<void> {
  await db.updateTable('membership').set({ ended_at: endedAt, updated_at: now }).where('id', '=', id).execute()
}

/** The membership that a newer one replaced; null when there was none or it had already ended. */
export async function findReplacedMembership(
  db: Db,
  { accountId, startedAt }: Pick<Membership, 'accountId' | 'startedAt'>,
): Promise<Membership | null> {
  const row = await db
    .selectFrom('membership')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('is_current', 'is', null)
    .where('ended_at', '=', startedAt)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? toMembership(row) : null
}

/** Makes an earlier membership current again, as a manually renewed term. */
export async function resumeMembership(
  db: Db,
  { ended, resumed }: { ended: string; resumed: string },
  now: number,
): Promise<void> {
  await db.updateTable('membership').set({ is_current: null, updated_at: now }).where('id', '=', ended).execute()
  await db
    .updateTable('membership')
    .set({
      is_current: 1,
      ended_at: null,
      stripe_subscription_id: null,
      stripe_status: null,
      cancel_at_period_end: 0,
      past_due_since: null,
      next_attempt_at: null,
      gave_up_at: null,
      renewal_amount: null,
      updated_at: now,
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
  await db.updateTable('membership').set({ ends_at: endsAt, updated_at: now }).where('id', '=', id).execute()
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
    .innerJoin('account', 'account.id', 'membership.account_id')
    .selectAll('membership')
    .where('is_current', '=', 1)
    .where('kind', '=', 'RECURRING')
    .where('deactivated_by', 'is', null)
    .where('membership.id', '>', after)
    .where((eb) =>
      eb.or([
        eb.and([eb('ends_at', '>', endsAfter), eb('ends_at', '<', endsBefore)]),
        eb('past_due_since', '>', endsAfter),
        eb('ended_at', '>', endsAfter),
      ]),
    )
    .orderBy('membership.id')
    .limit(limit)
    .execute()
  return rows.map(toMembership)
}

/** Whether it is its account's current or last membership. */
export async function isCurrentMembership(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('membership').select('is_current').where('id', '=', id).executeTakeFirst()
  return row?.is_current === 1
}
