import { formatDay } from '#contract/dates/days.ts'
import { hoursLeft } from '#server/features/contact/contact.rules.ts'
import { daysBetween } from '#server/features/content-store/deadline.rules.ts'

const SOON_HOURS = 24

/** Returns how urgent the oldest open message is; `oldest` is when it arrived, null if none is open. */
export function messageUrgency(
  oldest: number | null,
  now: number,
): { urgency: 'late' | 'soon' | 'calm'; detail: string | null } {
  if (oldest === null) return { urgency: 'calm', detail: null }
  const left = hoursLeft(oldest, now)
  if (left <= 0) return { urgency: 'late', detail: `The oldest was due ${hours(-left)} ago.` }
  return { urgency: left <= SOON_HOURS ? 'soon' : 'calm', detail: `The oldest is due in ${hours(left)}.` }
}

/** Formats hours, or whole days from 72 hours on. */
function hours(count: number): string {
  if (count >= 72) return `${Math.floor(count / 24)} days`
  return count === 1 ? '1 hour' : `${count} hours`
}

/** Returns how urgent a deadline is. */
export function deadlineUrgency(deadline: string, today: string): { urgency: 'soon' | 'calm'; detail: string } {
  const left = daysBetween(today, deadline)
  const when = left === 0 ? 'today' : left === 1 ? 'tomorrow' : `in ${left} days`
  return { urgency: left <= 7 ? 'soon' : 'calm', detail: `Applications close on ${formatDay(deadline)}, ${when}.` }
}
