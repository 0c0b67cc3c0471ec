/** A separate module, since visitors' pages load it only on interaction. */
export { addDays, dayText, isDay, weekdayOf, type DayParts } from './calendar-day.ts'

/** Days as text, `YYYY-MM-DD`: they are never converted to `Date` instants of a time zone (docs/product-rules.md#the-associations-day). */
export interface DaySpan {
  startsOn: string
  endsOn: string
}

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** 'December 12, 2026'. */
export function formatDay(day: string): string {
  const { year, month, date } = splitDay(day)
  return `${month} ${date}, ${year}`
}

/** 'December 12, 2026', 'December 12-14, 2026', 'November 30 - December 2, 2026': formats that `parseEventDate` parses. */
export function formatDayRange({ startsOn, endsOn }: DaySpan): string {
  const first = splitDay(startsOn)
  const last = splitDay(endsOn)
  if (startsOn === endsOn) return formatDay(startsOn)
  if (first.year !== last.year) return `${formatDay(startsOn)} - ${formatDay(endsOn)}`
  const start = `${first.month} ${first.date}`
  return first.month === last.month ? `${start}-${last.date}, ${last.year}` : `${start} - ${formatDay(endsOn)}`
}

/** The name of its month. */
export function splitDay(day: string): { year: number; month: string; date: number } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return { year, month: MONTHS[month - 1] ?? '', date }
}
