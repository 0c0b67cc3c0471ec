import { writeFlags } from '#server/db/schema/column-values.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { type Membership } from './membership.queries.ts'

export async function insertCurrentMembership(
  db: Db,
  membership: Omit<Membership, 'updatedAt' | 'renewalAmount' | 'isCurrent' | 'subscriptionImportedAt'>,
  now: number,
): Promise<void> {
  await db
    .insertInto('membership')
    .values({
      ...writeFlags(membership, 'cancelAtPeriodEnd'),
      subscriptionImportedAt: null,
      renewalAmount: null,
      isCurrent: 1,
      updatedAt: now,
    })
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

/** The columns of a membership whose subscription an earlier system created. */
export type AttachedSubscription = Pick<
  Membership,
  'levelKey' | 'cancelAtPeriodEnd' | 'pastDueSince' | 'nextAttemptAt' | 'renewalAmount' | 'subscriptionImportedAt'
> & { stripeSubscriptionId: string; stripeStatus: string; endsAt: number }

/** Gives a membership the subscription of an earlier system. */
export async function attachSubscription(
  tx: Tx,
  id: string,
  subscription: AttachedSubscription,
  now: number,
): Promise<void> {
  await tx
    .updateTable('membership')
    .set({ ...writeFlags(subscription, 'cancelAtPeriodEnd'), gaveUpAt: null, endedAt: null, updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/** Takes an imported subscription from a membership, which is renewed manually again. */
export async function detachSubscription(
  tx: Tx,
  id: string,
  { levelKey, endsAt, cancelAtPeriodEnd }: Pick<Membership, 'levelKey' | 'endsAt' | 'cancelAtPeriodEnd'>,
  now: number,
): Promise<void> {
  const nothing = {
    stripeSubscriptionId: null,
    stripeStatus: null,
    pastDueSince: null,
    nextAttemptAt: null,
    renewalAmount: null,
    subscriptionImportedAt: null,
  }
  await tx
    .updateTable('membership')
    .set({ ...writeFlags({ levelKey, endsAt, cancelAtPeriodEnd }, 'cancelAtPeriodEnd'), ...nothing, updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/** Deletes a membership that exists only because its subscription was imported, with its reminders. */
export async function deleteImportedMembership(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('membershipReminder').where('membershipId', '=', id).execute()
  await tx.deleteFrom('membership').where('id', '=', id).execute()
}

/** Makes a membership that an import replaced the current one again. */
export async function restoreReplacedMembership(
  tx: Tx,
  { id, endedAt }: Pick<Membership, 'id' | 'endedAt'>,
  now: number,
): Promise<void> {
  await tx.updateTable('membership').set({ isCurrent: 1, endedAt, updatedAt: now }).where('id', '=', id).execute()
}
