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

function hours(count: number): string {
  return count === 1 ? '1 hour' : `${count} hours`
}
