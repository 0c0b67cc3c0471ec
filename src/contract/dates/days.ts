/** Apart, since no page of visitors needs them before a touch. */
export { addDays, dayText, isDay, weekdayOf, type DayParts } from './calendar-day.ts'

/** Days as calendar text, `YYYY-MM-DD`: they never pass through `Date` as instants of some zone (docs/product-rules.md#the-associations-day). */
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
export function writeDay(day: string): string {
  const { year, month, date } = splitDay(day)
  return `${month} ${date}, ${year}`
}

/** 'December 12, 2026', 'December 12-14, 2026', 'November 30 - December 2, 2026': texts that `readEventDate` reads back. */
export function writeDayRange({ startsOn, endsOn }: DaySpan): string {
  const first = splitDay(startsOn)
  const last = splitDay(endsOn)
  if (startsOn === endsOn) return writeDay(startsOn)
  if (first.year !== last.year) return `${writeDay(startsOn)} - ${writeDay(endsOn)}`
  const start = `${first.month} ${first.date}`
  return first.month === last.month ? `${start}-${last.date}, ${last.year}` : `${start} - ${writeDay(endsOn)}`
}

/** Its month by name. */
export function splitDay(day: string): { year: number; month: string; date: number } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return { year, month: MONTHS[month - 1] ?? '', date }
}
