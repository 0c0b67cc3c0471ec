import type { Db } from '#server/db/database.ts'
import type { MembershipTable } from '#server/db/membership-schema.ts'
import type { MembershipFacts } from './membership.rules.ts'

export interface Membership extends MembershipFacts {
  id: string
  accountId: string
  levelKey: string
  startedAt: number
  stripeSubscriptionId: string | null
  /** What its subscription charges at each renewal; null without one, and until it was read. */
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

export async function findMembershipBySubscription(db: Db, stripeSubscriptionId: string): Promise<Membership | null> {
  const row = await db
    .selectFrom('membership')
    .selectAll()
    .where('stripe_subscription_id', '=', stripeSubscriptionId)
    .executeTakeFirst()
  return row ? toMembership(row) : null
}

export async function insertCurrentMembership(
  db: Db,
  membership: Omit<Membership, 'updatedAt' | 'renewalAmount'>,
  now: number,
): Promise<void> {
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
      next_attempt_at: membership.nextAttemptAt,
      gave_up_at: membership.gaveUpAt,
      ended_at: membership.endedAt,
      renewal_amount: null,
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

/** Ends the person's membership at an instant, such as when its payment was given back; it stays the one they had last. */
export async function endMembership(
  db: Db,
  id: string,
  { endedAt, now }: { endedAt: number; now: number },
): Promise<void> {
  await db.updateTable('membership').set({ ended_at: endedAt, updated_at: now }).where('id', '=', id).execute()
}

/** The membership that another one took the place of when it began; null when there was none, or it had ended before. */
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

/** Makes an earlier membership the present one again, as a term that is renewed by hand. */
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

/** Moves a term that is renewed by hand on to its next end, or back to the one before. */
export async function extendMembership(
  db: Db,
  id: string,
  { endsAt, now }: { endsAt: number; now: number },
): Promise<void> {
  await db.updateTable('membership').set({ ends_at: endsAt, updated_at: now }).where('id', '=', id).execute()
}

/** Sets the days of a term that is renewed by hand. */
export async function moveTerm(
  db: Db,
  id: string,
  { startedAt, endsAt, now }: { startedAt: number; endsAt: number | null; now: number },
): Promise<void> {
  await db
    .updateTable('membership')
    .set({ started_at: startedAt, ends_at: endsAt, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/**
 * Present memberships about which there may be something to tell: their end is near or was lately, or a renewal is owed. Lifetime ones are never
 * among them, nor are those of deactivated accounts.
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

/** Whether it is the one its holder has now, or had last. */
export async function isCurrentMembership(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('membership').select('is_current').where('id', '=', id).executeTakeFirst()
  return row?.is_current === 1
}

/** Whether a subscription is that of somebody's present membership. */
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
    nextAttemptAt: row.next_attempt_at,
    gaveUpAt: row.gave_up_at,
    endedAt: row.ended_at,
    renewalAmount: row.renewal_amount,
    updatedAt: row.updated_at,
  }
}
