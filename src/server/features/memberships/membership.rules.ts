import { addMonths, addTerms, termMonths, type Term, type TermUnit } from '#contract/level-terms.ts'
import type { MembershipStatus } from '#contract/public/account.ts'
import type { ReadFlags } from '#server/db/schema/column-values.ts'
import type { MembershipTable } from '#server/db/schema/membership-schema.ts'

/** The inputs of a membership's status, besides the current time (docs/product-rules.md#membership-status). */
export type MembershipSnapshot = Pick<
  ReadFlags<MembershipTable, 'cancelAtPeriodEnd'>,
  'kind' | 'endsAt' | 'stripeStatus' | 'cancelAtPeriodEnd' | 'pastDueSince' | 'nextAttemptAt' | 'gaveUpAt' | 'endedAt'
>

/** Of a membership that goes on, and that no card has ever paid for. */
export const BY_HAND = {
  stripeStatus: null,
  cancelAtPeriodEnd: false,
  pastDueSince: null,
  nextAttemptAt: null,
  gaveUpAt: null,
  endedAt: null,
} satisfies Partial<MembershipSnapshot>

const RUNNING = new Set(['active', 'trialing'])

/** @param graceMs grace period after a failed renewal */
export function membershipStatus(snapshot: MembershipSnapshot, now: number, graceMs: number): MembershipStatus {
  const { kind, endsAt, stripeStatus, cancelAtPeriodEnd, pastDueSince, nextAttemptAt, endedAt } = snapshot
  if (endedAt !== null && endedAt <= now) return 'CANCELED'
  if (kind === 'ONE_TIME') return 'ACTIVE'
  const isOver = endsAt !== null && endsAt <= now
  if (stripeStatus === null) return isOver ? (cancelAtPeriodEnd ? 'CANCELED' : 'EXPIRED') : 'ACTIVE'
  if (stripeStatus === 'incomplete') return 'INCOMPLETE'
  if (stripeStatus === 'incomplete_expired') return 'EXPIRED'
  // The provider reports renewals; until it does, rights continue.
  if (RUNNING.has(stripeStatus)) return isOver && cancelAtPeriodEnd ? 'CANCELED' : 'ACTIVE'
  if (pastDueSince === null) return stripeStatus === 'past_due' ? 'PAST_DUE' : 'CANCELED'
  // It expires when the provider has stopped retrying and the grace period has ended, whichever is later.
  const isRetried = stripeStatus === 'past_due' && nextAttemptAt !== null
  return isRetried || now < pastDueEndsAt(snapshot, graceMs)! ? 'PAST_DUE' : 'EXPIRED'
}

/** When rights end unless the unpaid renewal is paid; null when nothing is owed. Later retries by the provider may postpone it. */
export function pastDueEndsAt(
  { pastDueSince, nextAttemptAt, gaveUpAt }: Pick<MembershipSnapshot, 'pastDueSince' | 'nextAttemptAt' | 'gaveUpAt'>,
  graceMs: number,
): number | null {
  if (pastDueSince === null) return null
  return Math.max(pastDueSince + graceMs, gaveUpAt ?? nextAttemptAt ?? 0)
}

/** When rights end or ended; null for a lifetime membership and for one that renews. */
export function rightsEndAt(snapshot: MembershipSnapshot, graceMs: number): number | null {
  if (snapshot.endedAt !== null) return snapshot.endedAt
  if (snapshot.pastDueSince !== null) return pastDueEndsAt(snapshot, graceMs)
  return willRenew(snapshot) ? null : snapshot.endsAt
}

/** The end date shown to people and in exports: when it ended, when rights end, or when it renews; null for a lifetime membership. `runsUntilSql` is the SQL version. */
export function runsUntil(snapshot: MembershipSnapshot, graceMs: number): number | null {
  return rightsEndAt(snapshot, graceMs) ?? snapshot.endsAt
}

/**
 * Whether a payment was made after the membership, or its subscription, had ended or expired. A payment made before that and reported late is
 * not too late.
 * @param stoppedAt when the provider ended the subscription; null while it runs
 */
export function isPaidAfterEnd(
  paidAt: number,
  snapshot: MembershipSnapshot,
  { stoppedAt, now, graceMs }: { stoppedAt: number | null; now: number; graceMs: number },
): boolean {
  const lapsedAt = membershipStatus(snapshot, now, graceMs) === 'EXPIRED' ? rightsEndAt(snapshot, graceMs) : null
  return [stoppedAt, snapshot.endedAt, lapsedAt].some((end) => end !== null && paidAt > end)
}

/** Whether the provider automatically charges for another period. */
export function willRenew(snapshot: MembershipSnapshot): boolean {
  return (
    hasLiveSubscription(snapshot) &&
    snapshot.pastDueSince === null &&
    !snapshot.cancelAtPeriodEnd &&
    snapshot.endsAt !== null
  )
}

const ENDED = new Set(['canceled', 'incomplete_expired'])

/** Whether the provider still charges for it: then it is changed in the billing portal, otherwise it can be bought again. */
export function hasLiveSubscription({ stripeStatus, endedAt }: MembershipSnapshot): boolean {
  return stripeStatus !== null && !ENDED.has(stripeStatus) && endedAt === null
}

/** Whether a status grants membership rights. */
export function hasRights(status: MembershipStatus): boolean {
  return status === 'ACTIVE' || status === 'PAST_DUE'
}

/**
 * When the current term began: one interval before its end, or when the membership started. It can lie before the membership, which may have
 * replaced another during a paid term and still end with it; the credit for that term counts all of its days. `level` is null when it no longer exists.
 */
export function termStartsAt(
  { startedAt, endsAt }: { startedAt: number; endsAt: number | null },
  level: Term | null,
): number {
  if (endsAt === null || level === null) return startedAt
  return addTerms(endsAt, level, -1) ?? startedAt
}

/** Whether a level can be bought, or why not. */
export type PurchaseDecision = 'allowed' | 'lifetime' | 'subscription-exists' | 'holds-it-already'

/**
 * Decides whether a member with `current` (null: no membership) can buy a level.
 * A lifetime member never pays again; an active subscription is changed in the billing portal, except for buying a lifetime level (docs/product-rules.md#one-time-levels, docs/product-rules.md#open-checkouts-are-reused).
 */
export function canBuy(
  current: {
    status: MembershipStatus
    kind: 'ONE_TIME' | 'RECURRING'
    levelKey: string
    hasSubscription: boolean
  } | null,
  level: { key: string; isRecurring: boolean; unitAmount: number },
): PurchaseDecision {
  if (current === null || !hasRights(current.status)) return 'allowed'
  if (current.kind === 'ONE_TIME') return 'lifetime'
  if (!level.isRecurring) return 'allowed'
  if (current.hasSubscription) return 'subscription-exists'
  const isFree = level.unitAmount === 0
  return isFree ? (current.levelKey === level.key ? 'holds-it-already' : 'subscription-exists') : 'allowed'
}

export function addInterval(instant: number, unit: TermUnit, count: number): number {
  return addMonths(instant, (termMonths({ interval: unit, intervalCount: 1 }) ?? 0) * count)
}
