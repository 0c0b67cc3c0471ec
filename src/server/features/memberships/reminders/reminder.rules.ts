import { dayOf } from '#contract/dates/dates.ts'
import { membershipStatus, rightsEndAt, willRenew, type MembershipSnapshot } from '../membership.rules.ts'

/** Reminders triggered by time. */
export type TimedReminder =
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

/** Emails triggered by an event. */
export type EventReminder =
  | 'recovered'
  | 'stopped'
  | 'resumed'
  | 'level_changed'
  | 'refunded'
  | 'dispute_opened'
  | 'dispute_closed'

export type ReminderKind = TimedReminder | EventReminder

export interface DueReminder {
  kind: TimedReminder
  /** The instant of the charge, failure or end it is about. */
  aboutAt: number
}

const DAY_MS = 86_400_000
/** Days before a charge, or before the end of a manually renewed term. */
const DAYS_BEFORE = [7, 45] as const
/** Days after a failed charge. */
const DAYS_AFTER_FAILURE = [13, 7, 3, 0] as const
/** No email about an end this long ago, such as after an import or an outage. */
const STALE_AFTER_MS = 30 * DAY_MS

/**
 * Returns the reminder that is due now, or null. Missed reminders are not backfilled; only the latest is due. Returns the same
 * reminder until the next one is due, so the caller must track what was sent.
 * @param termStartsAt start of the current term: a term shorter than the lead time gets no reminder
 */
export function dueReminder(
  snapshot: MembershipSnapshot & { termStartsAt: number },
  { now, graceMs, timeZone }: { now: number; graceMs: number; timeZone: string },
): DueReminder | null {
  if (snapshot.kind === 'ONE_TIME') return null
  const status = membershipStatus(snapshot, now, graceMs)
  if (status === 'PAST_DUE') return duePastDue(snapshot, now)
  if (status === 'EXPIRED' || status === 'CANCELED') {
    const endedAt = rightsEndAt(snapshot, graceMs)
    if (endedAt === null || now - endedAt > STALE_AFTER_MS) return null
    return { kind: status === 'EXPIRED' ? 'expired' : 'canceled', aboutAt: endedAt }
  }
  if (status !== 'ACTIVE' || snapshot.endsAt === null || snapshot.endsAt <= now || snapshot.cancelAtPeriodEnd)
    return null
  const days = daysBetween(now, snapshot.endsAt, timeZone)
  const step = DAYS_BEFORE.find((before) => days <= before)
  if (step === undefined || daysBetween(snapshot.termStartsAt, snapshot.endsAt, timeZone) <= step) return null
  return { kind: `${willRenew(snapshot) ? 'renewal' : 'term'}_${step}`, aboutAt: snapshot.endsAt }
}

/**
 * When a term began, as its reminders count it: not before the membership, nor before an officer granted its end. A short term that was just
 * granted is not about to end unexpectedly.
 * @param termStartsAt one interval of the level before the end
 */
export function reminderTermStart(termStartsAt: number, startedAt: number, grantedAt: number | null): number {
  return Math.max(termStartsAt, startedAt, grantedAt ?? 0)
}

function duePastDue({ pastDueSince }: MembershipSnapshot, now: number): DueReminder | null {
  if (pastDueSince === null) return null
  const days = Math.floor((now - pastDueSince) / DAY_MS)
  const step = DAYS_AFTER_FAILURE.find((after) => days >= after)
  return step === undefined ? null : { kind: `past_due_${step}`, aboutAt: pastDueSince }
}

/** Whether a queued reminder still applies: a reminder after renewing is worse than none. */
export function stillApplies(
  { kind, aboutAt }: { kind: ReminderKind; aboutAt: number },
  snapshot: MembershipSnapshot,
  { now, graceMs }: { now: number; graceMs: number },
): boolean {
  const status = membershipStatus(snapshot, now, graceMs)
  switch (kind) {
    case 'renewal_45':
    case 'renewal_7':
      return status === 'ACTIVE' && willRenew(snapshot) && snapshot.endsAt === aboutAt && aboutAt > now
    case 'term_45':
    case 'term_7':
      return status === 'ACTIVE' && !willRenew(snapshot) && !snapshot.cancelAtPeriodEnd && snapshot.endsAt === aboutAt
    case 'past_due_0':
    case 'past_due_3':
    case 'past_due_7':
    case 'past_due_13':
      return status === 'PAST_DUE' && snapshot.pastDueSince === aboutAt
    case 'expired':
      return status === 'EXPIRED'
    case 'canceled':
      return status === 'CANCELED'
    case 'recovered':
      return status === 'ACTIVE'
    case 'stopped':
      return snapshot.cancelAtPeriodEnd
    case 'resumed':
      return !snapshot.cancelAtPeriodEnd
    default:
      return true
  }
}

/** Calendar days between two instants in the association's time zone, independent of daylight saving time. */
export function daysBetween(from: number, to: number, timeZone: string): number {
  const midnight = (instant: number) => Date.parse(`${dayOf(instant, timeZone)}T00:00:00Z`)
  return Math.round((midnight(to) - midnight(from)) / DAY_MS)
}

/** Whether a reminder says that the membership has ended. */
export function isEndKind(kind: ReminderKind): kind is 'expired' | 'canceled' {
  return kind === 'expired' || kind === 'canceled'
}
