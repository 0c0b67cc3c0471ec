import { dayOf } from '#contract/dates.ts'
import { membershipStatus, rightsEndAt, willRenew, type MembershipFacts } from './membership.rules.ts'

/** What a member is told about a membership as time goes by. */
export type TimedNotice =
  | 'renewal_45'
  | 'renewal_7'
  | 'term_45'
  | 'term_7'
  | 'past_due_0'
  | 'past_due_3'
  | 'past_due_7'
  | 'past_due_13'
  | 'expired'
  | 'canceled'

/** What is told at once, because something was done. */
export type PromptNotice =
  | 'recovered'
  | 'stopped'
  | 'resumed'
  | 'level_changed'
  | 'refunded'
  | 'dispute_opened'
  | 'dispute_closed'

export type NoticeKind = TimedNotice | PromptNotice

export interface DueNotice {
  kind: TimedNotice
  /** The charge, failure or end it is about. */
  aboutAt: number
}

const DAY_MS = 86_400_000
/** Days before a charge, or before the end of a term that is renewed by hand. */
const DAYS_BEFORE = [7, 45] as const
/** Days after a failed charge. */
const DAYS_AFTER_FAILURE = [13, 7, 3, 0] as const
/** An end that long ago is no news: somebody imported, or a site that was away. */
const STALE_AFTER_MS = 30 * DAY_MS

/**
 * The one notice that is due now, null when there is none. What was missed is not made up for: of several only the latest is due. Whoever asks
 * remembers what was told; the same answer comes again until it changes.
 * @param termStartsAt start of the running term: a term too short for a notice has none
 */
export function dueNotice(
  facts: MembershipFacts & { termStartsAt: number },
  { now, graceMs, timeZone }: { now: number; graceMs: number; timeZone: string },
): DueNotice | null {
  if (facts.kind === 'ONE_TIME') return null
  const status = membershipStatus(facts, now, graceMs)
  if (status === 'PAST_DUE') return duePastDue(facts, now)
  if (status === 'EXPIRED' || status === 'CANCELED') {
    const endedAt = rightsEndAt(facts, graceMs)
    if (endedAt === null || now - endedAt > STALE_AFTER_MS) return null
    return { kind: status === 'EXPIRED' ? 'expired' : 'canceled', aboutAt: endedAt }
  }
  if (status !== 'ACTIVE' || facts.endsAt === null || facts.endsAt <= now || facts.cancelAtPeriodEnd) return null
  const days = daysBetween(now, facts.endsAt, timeZone)
  const step = DAYS_BEFORE.find((before) => days <= before)
  if (step === undefined || daysBetween(facts.termStartsAt, facts.endsAt, timeZone) <= step) return null
  return { kind: `${willRenew(facts) ? 'renewal' : 'term'}_${step}`, aboutAt: facts.endsAt }
}

function duePastDue({ pastDueSince }: MembershipFacts, now: number): DueNotice | null {
  if (pastDueSince === null) return null
  const days = Math.floor((now - pastDueSince) / DAY_MS)
  const step = DAYS_AFTER_FAILURE.find((after) => days >= after)
  return step === undefined ? null : { kind: `past_due_${step}`, aboutAt: pastDueSince }
}

/** Whether a notice queued earlier is still true: a reminder after renewing is worse than none. */
export function isStillTrue(
  { kind, aboutAt }: { kind: NoticeKind; aboutAt: number },
  facts: MembershipFacts,
  { now, graceMs }: { now: number; graceMs: number },
): boolean {
  const status = membershipStatus(facts, now, graceMs)
  switch (kind) {
    case 'renewal_45':
    case 'renewal_7':
      return status === 'ACTIVE' && willRenew(facts) && facts.endsAt === aboutAt && aboutAt > now
    case 'term_45':
    case 'term_7':
      return status === 'ACTIVE' && !willRenew(facts) && !facts.cancelAtPeriodEnd && facts.endsAt === aboutAt
    case 'past_due_0':
    case 'past_due_3':
    case 'past_due_7':
    case 'past_due_13':
      return status === 'PAST_DUE' && facts.pastDueSince === aboutAt
    case 'expired':
      return status === 'EXPIRED'
    case 'canceled':
      return status === 'CANCELED'
    case 'recovered':
      return status === 'ACTIVE'
    case 'stopped':
      return facts.cancelAtPeriodEnd
    case 'resumed':
      return !facts.cancelAtPeriodEnd
    default:
      return true
  }
}

/** Whole days of the association's calendar from one instant's day to another's: the same whatever the clocks did in between. */
export function daysBetween(from: number, to: number, timeZone: string): number {
  const midnight = (instant: number) => Date.parse(`${dayOf(instant, timeZone)}T00:00:00Z`)
  return Math.round((midnight(to) - midnight(from)) / DAY_MS)
}
