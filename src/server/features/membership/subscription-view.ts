import type { Subscription } from '#contract/account.ts'
import type { Db } from '#server/db/database.ts'
import { findLevel, toPublicLevel } from './level.repository.ts'
import { findCurrentMembership } from './membership.repository.ts'
import { hasLiveSubscription, hasRights, membershipStatus } from './membership.rules.ts'

/** A person's membership as the API shows it; null without one. Instants become ISO 8601 (interface, "Answers"). */
export async function subscriptionOf(
  db: Db,
  accountId: string,
  { now, graceMs }: { now: number; graceMs: number },
): Promise<Subscription | null> {
  const membership = await findCurrentMembership(db, accountId)
  const level = membership && (await findLevel(db, membership.levelKey))
  if (!membership || !level) return null
  const status = membershipStatus(membership, now, graceMs)
  const isLive = hasLiveSubscription(membership)
  const renews = isLive && !membership.cancelAtPeriodEnd && hasRights(status) && membership.endsAt !== null
  // The provider gave up on a renewal: the period it had begun was never paid for, and rights end with the grace.
  const gaveUpSince = isLive ? null : membership.pastDueSince
  const ends = membership.endedAt ?? (gaveUpSince === null ? membership.endsAt : gaveUpSince + graceMs)
  return {
    kind: membership.kind,
    status,
    startDate: iso(membership.startedAt),
    nextBillDate: renews && membership.endsAt !== null ? iso(membership.endsAt) : null,
    cancelDate: renews || ends === null ? null : iso(ends),
    membershipLevel: toPublicLevel(level),
  }
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
