import type { MembershipStatus } from '#contract/account.ts'

/** What is known of a membership; the status follows from this and the clock (decision C2, design 7). */
export interface MembershipFacts {
  kind: 'ONE_TIME' | 'RECURRING'
  /** End of what is paid for or granted; null for lifetime. */
  endsAt: number | null
  /** As the provider said it last; null without a subscription. */
  stripeStatus: string | null
  cancelAtPeriodEnd: boolean
  pastDueSince: number | null
  endedAt: number | null
}

const RETRYING = new Set(['past_due', 'unpaid'])
const RUNNING = new Set(['active', 'trialing'])

/** @param graceMs how long rights outlast a failed renewal */
export function membershipStatus(facts: MembershipFacts, now: number, graceMs: number): MembershipStatus {
  const { kind, endsAt, stripeStatus, cancelAtPeriodEnd, pastDueSince, endedAt } = facts
  if (endedAt !== null && endedAt <= now) return 'CANCELED'
  if (kind === 'ONE_TIME') return 'ACTIVE'
  const isOver = endsAt !== null && endsAt <= now
  if (stripeStatus === null) return isOver ? (cancelAtPeriodEnd ? 'CANCELED' : 'EXPIRED') : 'ACTIVE'
  if (stripeStatus === 'incomplete') return 'INCOMPLETE'
  if (stripeStatus === 'incomplete_expired') return 'EXPIRED'
  // A renewal that is due is the provider's to report; until it does, rights go on.
  if (RUNNING.has(stripeStatus)) return isOver && cancelAtPeriodEnd ? 'CANCELED' : 'ACTIVE'
  if (stripeStatus === 'past_due') return 'PAST_DUE'
  // The provider gave up or it was ended: after a failed renewal the grace still runs.
  if (pastDueSince !== null) return now < pastDueSince + graceMs ? 'PAST_DUE' : 'EXPIRED'
  return 'CANCELED'
}

const ENDED = new Set(['canceled', 'incomplete_expired'])

/** Whether the provider goes on charging for it: then it is changed in the portal, else it may be bought anew. */
export function hasLiveSubscription({ stripeStatus, endedAt }: MembershipFacts): boolean {
  return stripeStatus !== null && !ENDED.has(stripeStatus) && endedAt === null
}

/** Whether the rights of a membership exist (interface: card labels apply while they do). */
export function hasRights(status: MembershipStatus): boolean {
  return status === 'ACTIVE' || status === 'PAST_DUE'
}

/** When the first of a run of failed renewals was seen; null once a payment went through. */
export function pastDueSince(stripeStatus: string, before: number | null, now: number): number | null {
  if (RETRYING.has(stripeStatus)) return before ?? now
  return RUNNING.has(stripeStatus) ? null : before
}

/** What may be bought next to what is held. */
export type PurchaseVerdict = 'allowed' | 'lifetime' | 'subscription-exists' | 'holds-it-already'

/**
 * Whether a level may be bought by someone who holds `current` (null: nothing).
 * A lifetime member never pays again; a running subscription is changed in the portal, except for buying a lifetime level (B7, B10).
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
