import { type ReadFlags, readFlags } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import type { MembershipTable } from '#server/db/schema/membership-schema.ts'

export type Membership = ReadFlags<MembershipTable, 'cancelAtPeriodEnd'>

export async function findCurrentMembership(db: Db, accountId: string): Promise<Membership | null> {
  const row = await db
    .selectFrom('membership')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('isCurrent', '=', 1)
    .executeTakeFirst()
  return row ? readFlags(row, 'cancelAtPeriodEnd') : null
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

/** Whether a membership, current or not, has a subscription. */
export async function isSubscriptionKnown(db: Db, stripeSubscriptionId: string): Promise<boolean> {
  return (await findMembershipBySubscription(db, stripeSubscriptionId)) !== null
}

export async function findMembershipBySubscription(db: Db, stripeSubscriptionId: string): Promise<Membership | null> {
  const row = await db
    .selectFrom('membership')
    .selectAll()
    .where('stripeSubscriptionId', '=', stripeSubscriptionId)
    .executeTakeFirst()
  return row ? readFlags(row, 'cancelAtPeriodEnd') : null
}
