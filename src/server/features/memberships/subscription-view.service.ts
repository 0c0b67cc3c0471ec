import type { MembershipStatus, Subscription } from '#contract/account.ts'
import type { Db } from '#server/db/database.ts'
import { findLevel, toPublicLevel } from './level.repository.ts'
import { findCurrentMembership, type Membership } from './membership.repository.ts'
import { hasLiveSubscription, hasRights, membershipStatus, rightsEndAt, willRenew } from './membership.rules.ts'

/** A person's membership as the API shows it; null without one. Instants become ISO 8601. */
export async function subscriptionOf(
  db: Db,
  accountId: string,
  { now, graceMs }: { now: number; graceMs: number },
): Promise<Subscription | null> {
  const membership = await findCurrentMembership(db, accountId)
  const level = membership && (await findLevel(db, membership.levelKey))
  if (!membership || !level) return null
  const status = membershipStatus(membership, now, graceMs)
  // While a renewal is owed, the next billing date is the next try: the period it began was never paid for.
  const nextAttemptAt = status === 'PAST_DUE' && hasLiveSubscription(membership) ? membership.nextAttemptAt : null
  const nextBillAt = willRenew(membership) ? membership.endsAt : nextAttemptAt
  const endsAt = rightsEndAt(membership, graceMs)
  return {
    kind: membership.kind,
    status,
    startDate: iso(membership.startedAt),
    nextBillDate: nextBillAt === null ? null : iso(nextBillAt),
    cancelDate: endsAt === null ? null : iso(endsAt),
    // Whoever keeps an earlier price reads that one.
    membershipLevel: { ...toPublicLevel(level), unitAmount: chargedAmount(membership) ?? level.unitAmount },
    renewal: renewalOf(membership, status),
  }
}

/** What its subscription charges; null without one, and while it is not known. */
function chargedAmount(membership: Membership): number | null {
  return hasLiveSubscription(membership) ? membership.renewalAmount : null
}

function renewalOf(membership: Membership, status: MembershipStatus): Subscription['renewal'] {
  if (membership.kind === 'ONE_TIME' || !hasRights(status)) return 'none'
  if (hasLiveSubscription(membership)) return membership.cancelAtPeriodEnd ? 'stopped' : 'automatic'
  return membership.stripeStatus === null ? 'by-hand' : 'none'
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
