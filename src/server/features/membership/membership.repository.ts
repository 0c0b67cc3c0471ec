import type { Db } from '#server/db/database.ts'
import type { MembershipTable } from '#server/db/schema.ts'
import type { MembershipFacts } from './membership.rules.ts'

export interface Membership extends MembershipFacts {
  id: string
  accountId: string
  levelKey: string
  startedAt: number
  stripeSubscriptionId: string | null
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

export async function findMembershipBySubscription(db: Db, stripeSubscriptionId: string): Promise<Membership | null> {
  const row = await db
    .selectFrom('membership')
    .selectAll()
    .where('stripe_subscription_id', '=', stripeSubscriptionId)
    .executeTakeFirst()
  return row ? toMembership(row) : null
}

export async function insertCurrentMembership(db: Db, membership: Membership, now: number): Promise<void> {
  await db
    .insertInto('membership')
    .values({
      id: membership.id,
      account_id: membership.accountId,
      level_key: membership.levelKey,
      kind: membership.kind,
      started_at: membership.startedAt,
      ends_at: membership.endsAt,
      stripe_subscription_id: membership.stripeSubscriptionId,
      stripe_status: membership.stripeStatus,
      cancel_at_period_end: membership.cancelAtPeriodEnd ? 1 : 0,
      past_due_since: membership.pastDueSince,
      ended_at: membership.endedAt,
      is_current: 1,
      updated_at: now,
    })
    .execute()
}

/** Makes room for the next membership; the old one stays as history. */
export async function retireMembership(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('membership')
    .set((eb) => ({ is_current: null, ended_at: eb.fn.coalesce('ended_at', eb.val(now)), updated_at: now }))
    .where('id', '=', id)
    .execute()
}

export interface SubscriptionChange {
  levelKey: string
  stripeStatus: string
  endsAt: number
  cancelAtPeriodEnd: boolean
  pastDueSince: number | null
  endedAt: number | null
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
      ended_at: change.endedAt,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/** Subscriptions of present memberships that were not looked at since `before`, oldest first: the reconciler's work. */
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

export async function touchMembership(db: Db, stripeSubscriptionId: string, now: number): Promise<void> {
  await db
    .updateTable('membership')
    .set({ updated_at: now })
    .where('stripe_subscription_id', '=', stripeSubscriptionId)
    .execute()
}

function toMembership(row: MembershipTable): Membership {
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
    endedAt: row.ended_at,
  }
}
