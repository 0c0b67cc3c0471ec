import type { Db } from '#server/db/database.ts'
import type { MembershipTable } from '#server/db/schema/membership-schema.ts'
import type { MembershipSnapshot } from './membership.rules.ts'

export interface Membership extends MembershipSnapshot {
  id: string
  accountId: string
  levelKey: string
  startedAt: number
  stripeSubscriptionId: string | null
  /** What its subscription charges at each renewal; null without a subscription or before the first sync. */
  renewalAmount: number | null
  updatedAt: number
}

export async function findCurrentMembership(db: Db, accountId: string): Promise<Membership | null> {
  const row = await db
    .selectFrom('membership')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('is_current', '=', 1)
    .executeTakeFirst()
  return row ? toMembership(row) : null
}

/** Whether a subscription belongs to a current membership. */
export async function isCurrentSubscription(db: Db, stripeSubscriptionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('membership')
    .select('id')
    .where('stripe_subscription_id', '=', stripeSubscriptionId)
    .where('is_current', '=', 1)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Subscriptions of current memberships not synced since `before`, oldest first, for the reconciler. */
export async function listSubscriptionsToCheck(
  db: Db,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('membership')
    .select('stripe_subscription_id')
    .where('is_current', '=', 1)
    .where('stripe_subscription_id', 'is not', null)
    .where('ended_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('updated_at', '<', before),
        eb.and([eb('ends_at', '<', now), eb('updated_at', '<', eb.ref('ends_at'))]),
      ]),
    )
    .orderBy('updated_at')
    .limit(limit)
    .execute()
  return rows.flatMap((row) => row.stripe_subscription_id ?? [])
}

export function toMembership(row: MembershipTable): Membership {
  return {
    id: row.id,
    accountId: row.account_id,
    levelKey: row.level_key,
    kind: row.kind,
    startedAt: row.started_at,
    endsAt: row.ends_at,
    stripeSubscriptionId: row.stripe_subscription_id,
    stripeStatus: row.stripe_status,
    cancelAtPeriodEnd: row.cancel_at_period_end === 1,
    pastDueSince: row.past_due_since,
    nextAttemptAt: row.next_attempt_at,
    gaveUpAt: row.gave_up_at,
    endedAt: row.ended_at,
    renewalAmount: row.renewal_amount,
    updatedAt: row.updated_at,
  }
}
