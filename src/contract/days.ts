/** Days as calendar text, `YYYY-MM-DD`: they never pass through `Date` as instants of some zone (decision E2). */
export interface DaySpan {
  startsOn: string
  endsOn: string
}

export interface DayParts {
  year?: number | undefined
  month?: number | undefined
  day?: number | undefined
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

/** `YYYY-MM-DD`; null when the calendar has no such day. */
export function dayText({ year, month, day }: DayParts): string | null {
  if (year === undefined || month === undefined || day === undefined) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? date.toISOString().slice(0, 10) : null
}

/** Whether a text is a day of the calendar, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  return dayText({ year: Number(year), month: Number(month), day: Number(day) }) !== null
}

/** `days` later, in calendar days. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** 0 for Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

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
