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
    .where('accountId', '=', accountId)
    .where('isCurrent', '=', 1)
    .executeTakeFirst()
  return row ? toMembership(row) : null
}

/** Whether a subscription belongs to a current membership. */
export async function isCurrentSubscription(db: Db, stripeSubscriptionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('membership')
    .select('id')
    .where('stripeSubscriptionId', '=', stripeSubscriptionId)
    .where('isCurrent', '=', 1)
    .where('endedAt', 'is', null)
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
    .select('stripeSubscriptionId')
    .where('isCurrent', '=', 1)
    .where('stripeSubscriptionId', 'is not', null)
    .where('endedAt', 'is', null)
    .where((eb) =>
      eb.or([eb('updatedAt', '<', before), eb.and([eb('endsAt', '<', now), eb('updatedAt', '<', eb.ref('endsAt'))])]),
    )
    .orderBy('updatedAt')
    .limit(limit)
    .execute()
  return rows.flatMap((row) => row.stripeSubscriptionId ?? [])
}

export function toMembership(row: MembershipTable): Membership {
  return {
    id: row.id,
    accountId: row.accountId,
    levelKey: row.levelKey,
    kind: row.kind,
    startedAt: row.startedAt,
    endsAt: row.endsAt,
    stripeSubscriptionId: row.stripeSubscriptionId,
    stripeStatus: row.stripeStatus,
    cancelAtPeriodEnd: row.cancelAtPeriodEnd === 1,
    pastDueSince: row.pastDueSince,
    nextAttemptAt: row.nextAttemptAt,
    gaveUpAt: row.gaveUpAt,
    endedAt: row.endedAt,
    renewalAmount: row.renewalAmount,
    updatedAt: row.updatedAt,
  }
}
