import type { Db } from '#server/db/database.ts'
import { type Membership } from './membership.queries.ts'

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

/** Keeps a membership as history, so another one can become current. */
export async function retireMembership(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('membership')
    .set((eb) => ({ is_current: null, ended_at: eb.fn.coalesce('ended_at', eb.val(now)), updated_at: now }))
    .where('id', '=', id)
    .execute()
}

/** Sets the dates of a manually renewed term. */
export async function setTermDates(
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

export async function markSubscriptionChecked(db: Db, stripeSubscriptionId: string, now: number): Promise<void> {
  await db
    .updateTable('membership')
    .set({ updated_at: now })
    .where('stripe_subscription_id', '=', stripeSubscriptionId)
    .execute()
}
