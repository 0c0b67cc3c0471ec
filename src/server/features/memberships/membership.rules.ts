import type { MembershipStatus } from '#contract/account.ts'

/** What is known of a membership; the status follows from this and the clock (docs/product-rules.md#membership-status). */
export interface MembershipFacts {
  kind: 'ONE_TIME' | 'RECURRING'
  /** End of what is paid for or granted; null for lifetime. */
  endsAt: number | null
  /** As the provider said it last; null without a subscription. */
  stripeStatus: string | null
  cancelAtPeriodEnd: boolean
  /** When the renewal that is owed was first charged in vain. */
  pastDueSince: number | null
  /** When the provider tries again; null when it does not. */
  nextAttemptAt: number | null
  /** When the provider ended it because nothing could be charged. */
  gaveUpAt: number | null
  endedAt: number | null
}

const RUNNING = new Set(['active', 'trialing'])

/** @param graceMs how long rights outlast a failed renewal */
export function membershipStatus(facts: MembershipFacts, now: number, graceMs: number): MembershipStatus {
  const { kind, endsAt, stripeStatus, cancelAtPeriodEnd, pastDueSince, nextAttemptAt, endedAt } = facts
  if (endedAt !== null && endedAt <= now) return 'CANCELED'
  if (kind === 'ONE_TIME') return 'ACTIVE'
  const isOver = endsAt !== null && endsAt <= now
  if (stripeStatus === null) return isOver ? (cancelAtPeriodEnd ? 'CANCELED' : 'EXPIRED') : 'ACTIVE'
  if (stripeStatus === 'incomplete') return 'INCOMPLETE'
  if (stripeStatus === 'incomplete_expired') return 'EXPIRED'
  // A renewal that is due is the provider's to report; until it does, rights go on.
  if (RUNNING.has(stripeStatus)) return isOver && cancelAtPeriodEnd ? 'CANCELED' : 'ACTIVE'
  if (pastDueSince === null) return stripeStatus === 'past_due' ? 'PAST_DUE' : 'CANCELED'
  // It lapses when the provider gave up and the grace is over, whichever comes later.
  const isRetried = stripeStatus === 'past_due' && nextAttemptAt !== null
  return isRetried || now < pastDueEndsAt(facts, graceMs)! ? 'PAST_DUE' : 'EXPIRED'
}

/** When rights end unless what is owed is paid; null while nothing is owed. Later tries of the provider may move it on. */
export function pastDueEndsAt(
  { pastDueSince, nextAttemptAt, gaveUpAt }: Pick<MembershipFacts, 'pastDueSince' | 'nextAttemptAt' | 'gaveUpAt'>,
  graceMs: number,
): number | null {
  if (pastDueSince === null) return null
  return Math.max(pastDueSince + graceMs, gaveUpAt ?? nextAttemptAt ?? 0)
}

/** When rights end or ended, as far as is known; null for lifetime and for what renews. */
export function rightsEndAt(facts: MembershipFacts, graceMs: number): number | null {
  if (facts.endedAt !== null) return facts.endedAt
  if (facts.pastDueSince !== null) return pastDueEndsAt(facts, graceMs)
  return willRenew(facts) ? null : facts.endsAt
}

/** The day a person or a file reads as its end: when it ended, when rights end, or when it renews; null for life. `untilOf` says the same in SQL. */
export function runsUntil(facts: MembershipFacts, graceMs: number): number | null {
  return rightsEndAt(facts, graceMs) ?? facts.endsAt
}

/**
 * Whether something was paid for a membership when nothing could be had for it any more: it had ended or lapsed, or its subscription had. What was paid
 * before and is heard of late is not.
 * @param stoppedAt when the provider ended the subscription; null while it runs
 */
export function isPaidTooLate(
  paidAt: number,
  facts: MembershipFacts,
  { stoppedAt, now, graceMs }: { stoppedAt: number | null; now: number; graceMs: number },
): boolean {
  const lapsedAt = membershipStatus(facts, now, graceMs) === 'EXPIRED' ? rightsEndAt(facts, graceMs) : null
  return [stoppedAt, facts.endedAt, lapsedAt].some((end) => end !== null && paidAt > end)
}

/** Whether the provider charges for another period by itself when this one is over. */
export function willRenew(facts: MembershipFacts): boolean {
  return hasLiveSubscription(facts) && facts.pastDueSince === null && !facts.cancelAtPeriodEnd && facts.endsAt !== null
}

const ENDED = new Set(['canceled', 'incomplete_expired'])

/** Whether the provider goes on charging for it: then it is changed in the portal, else it may be bought anew. */
export function hasLiveSubscription({ stripeStatus, endedAt }: MembershipFacts): boolean {
  return stripeStatus !== null && !ENDED.has(stripeStatus) && endedAt === null
}

/** Whether the rights of a membership exist. */
export function hasRights(status: MembershipStatus): boolean {
  return status === 'ACTIVE' || status === 'PAST_DUE'
}

/** When the running term began: one interval before its end, or when the membership began; `level` null when it is no longer known. */
export function termStartsAt(
  { startedAt, endsAt }: { startedAt: number; endsAt: number | null },
  level: { interval: 'year' | 'month' | null; intervalCount: number | null } | null,
): number {
  if (endsAt === null || !level?.interval) return startedAt
  return addInterval(endsAt, level.interval, -(level.intervalCount ?? 1))
}

/** What may be bought next to what is held. */
export type PurchaseVerdict = 'allowed' | 'lifetime' | 'subscription-exists' | 'holds-it-already'

/**
 * Whether a level may be bought by someone who holds `current` (null: nothing).
 * A lifetime member never pays again; a running subscription is changed in the portal, except for buying a lifetime level (docs/product-rules.md#one-time-levels, docs/product-rules.md#open-checkouts-are-reused).
 */
export function mayBuy(
  current: {
    status: MembershipStatus
    kind: 'ONE_TIME' | 'RECURRING'
    levelKey: string
    hasSubscription: boolean
  } | null,
  level: { key: string; isRecurring: boolean; unitAmount: number },
): PurchaseVerdict {
  if (current === null || !hasRights(current.status)) return 'allowed'
  if (current.kind === 'ONE_TIME') return 'lifetime'
  if (!level.isRecurring) return 'allowed'
  if (current.hasSubscription) return 'subscription-exists'
  const isFree = level.unitAmount === 0
  return isFree ? (current.levelKey === level.key ? 'holds-it-already' : 'subscription-exists') : 'allowed'
}

/** An instant moved by calendar years or months in UTC; February 29 becomes 28 where there is none. */
export function addInterval(instant: number, interval: 'year' | 'month', count: number): number {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  if (interval === 'year') date.setUTCFullYear(date.getUTCFullYear() + count)
  else date.setUTCMonth(date.getUTCMonth() + count)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}
