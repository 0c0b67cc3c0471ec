import { addDays, writeDay } from '#contract/days.ts'
import { hoursLeft } from '../contact/contact.rules.ts'

const SOON_HOURS = 24

/** How pressing the oldest open message is, in words; `oldest` is when it arrived, null when none is open. */
export function messageUrgency(
  oldest: number | null,
  now: number,
): { urgency: 'late' | 'soon' | 'calm'; detail: string | null } {
  if (oldest === null) return { urgency: 'calm', detail: null }
  const left = hoursLeft(oldest, now)
  if (left <= 0) return { urgency: 'late', detail: `The oldest was due ${hours(-left)} ago.` }
  return { urgency: left <= SOON_HOURS ? 'soon' : 'calm', detail: `The oldest is due in ${hours(left)}.` }
}

/** In hours while they are few, else in whole days. */
function hours(count: number): string {
  if (count >= 72) return `${Math.floor(count / 24)} days`
  return count === 1 ? '1 hour' : `${count} hours`
}

/**
 * The next day on which applications close, on or after a day.
 * @param deadline month and day, `MM-DD`; February 29 is the first of March where there is none
 */
export function nextDeadline(deadline: string, today: string): string {
  const year = Number(today.slice(0, 4))
  const ofYear = (wanted: number) => addDays(`${wanted}-${deadline.slice(0, 2)}-01`, Number(deadline.slice(3)) - 1)
  return ofYear(year) >= today ? ofYear(year) : ofYear(year + 1)
}

/** How pressing a deadline is, in words. */
export function deadlineUrgency(deadline: string, today: string): { urgency: 'soon' | 'calm'; detail: string } {
  const left = Math.round((Date.parse(deadline) - Date.parse(today)) / 86_400_000)
  const when = left === 0 ? 'today' : left === 1 ? 'tomorrow' : `in ${left} days`
  return { urgency: left <= 7 ? 'soon' : 'calm', detail: `Applications close on ${writeDay(deadline)}, ${when}.` }
}
