import type { MembershipStatus, Subscription } from '#contract/public/account.ts'
import type { Db } from '#server/db/database.ts'
import { findLevel, toPublicLevel } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership, type Membership } from './membership.queries.ts'
import { hasLiveSubscription, hasRights, membershipStatus, rightsEndAt, willRenew } from './membership.rules.ts'

/** An account's membership as returned by the API; null without one. Instants become ISO 8601. */
export async function findSubscriptionView(
  db: Db,
  accountId: string,
  { now, graceMs }: { now: number; graceMs: number },
): Promise<Subscription | null> {
  const membership = await findCurrentMembership(db, accountId)
  const level = membership && (await findLevel(db, membership.levelKey))
  if (!membership || !level) return null
  const status = membershipStatus(membership, now, graceMs)
  // With an unpaid renewal, the next billing date is the next retry.
  const nextAttemptAt = status === 'PAST_DUE' && hasLiveSubscription(membership) ? membership.nextAttemptAt : null
  const nextBillAt = willRenew(membership) ? membership.endsAt : nextAttemptAt
  const endsAt = rightsEndAt(membership, graceMs)
  return {
    kind: membership.kind,
    status,
    startDate: iso(membership.startedAt),
    nextBillDate: nextBillAt === null ? null : iso(nextBillAt),
    cancelDate: endsAt === null ? null : iso(endsAt),
    // Show the subscription's own price, which may be an earlier one.
    membershipLevel: { ...toPublicLevel(level), unitAmount: chargedAmount(membership) ?? level.unitAmount },
    renewal: renewalOf(membership, status),
  }
}

/** What its subscription charges; null without a subscription or before the first sync. */
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
