import { writeFlags } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import { type Membership } from './membership.queries.ts'

export async function insertCurrentMembership(
  db: Db,
  membership: Omit<Membership, 'updatedAt' | 'renewalAmount' | 'isCurrent'>,
  now: number,
): Promise<void> {
  await db
    .insertInto('membership')
    .values({ ...writeFlags(membership, 'cancelAtPeriodEnd'), renewalAmount: null, isCurrent: 1, updatedAt: now })
    .execute()
}

/** Keeps a membership as history, so another one can become current. */
export async function retireMembership(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('membership')
    .set((eb) => ({ isCurrent: null, endedAt: eb.fn.coalesce('endedAt', eb.val(now)), updatedAt: now }))
    .where('id', '=', id)
    .execute()
}

/** Sets the dates of a manually renewed term. */
export async function setTermDates(
  db: Db,
  id: string,
  { startedAt, endsAt, now }: { startedAt: number; endsAt: number | null; now: number },
): Promise<void> {
  await db.updateTable('membership').set({ startedAt, endsAt, updatedAt: now }).where('id', '=', id).execute()
}

export async function markSubscriptionChecked(db: Db, stripeSubscriptionId: string, now: number): Promise<void> {
  await db
    .updateTable('membership')
    .set({ updatedAt: now })
    .where('stripeSubscriptionId', '=', stripeSubscriptionId)
    .execute()
}
