import { dateFormat } from '../formatters.ts'
import { region } from '../region.ts'

/** Formats an instant as a long US date, 'November 21, 2026', on the association's calendar (docs/product-rules.md#the-associations-day). */
export function formatLongDate(instant: string | number, timeZone = region().timeZone): string {
  return dateFormat({ dateStyle: 'long', timeZone }).format(new Date(instant))
}

/** Formats an instant to the minute, 'November 21, 2026 at 9:05 AM EST', in the association's time zone. */
export function formatMoment(instant: string | number, timeZone = region().timeZone): string {
  return dateFormat({ dateStyle: 'long', timeStyle: 'long', timeZone })
    .format(new Date(instant))
    .replace(/:\d\d(?= [AP]M)/, '')
}

/** Formats a deadline: one at midnight is written as the end of the day before. */
export function formatDeadline(instant: string | number, timeZone = region().timeZone): string {
  const formatted = formatMoment(instant, timeZone)
  return / 12:00 AM /.test(formatted) ? formatMoment(new Date(instant).getTime() - 60_000, timeZone) : formatted
}

/** The association's day at an instant, `YYYY-MM-DD`. */
export function dayOf(instant: number, timeZone = region().timeZone): string {
  // en-CA formats ISO dates.
  return dateFormat({ dateStyle: 'short', timeZone }, 'en-CA').format(instant)
}

/** Whether a text is an IANA name, such as America/Chicago. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text })
    return true
  } catch {
    return false
  }
}
