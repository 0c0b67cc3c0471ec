import { addDays, weekdayOf, formatDayRange } from '#contract/dates/days.ts'

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** A day in a content file: given, or relative to the day of seeding, as samples are. */
export interface FileDay {
  date?: string | undefined
  /** Such as `40 days` or `-7 days`. */
  in?: string | undefined
}

/** An event's date as text; a relative one is moved forward to `weekday`, and lasts `days`. */
export function resolveEventDate(
  { date, in: distance, weekday, days }: FileDay & { weekday?: string | undefined; days: number },
  today: string,
): string {
  if (date !== undefined) return date
  const from = addDays(today, daysOf(distance))
  const offset = weekday ? (WEEKDAYS.indexOf(weekday as (typeof WEEKDAYS)[number]) - weekdayOf(from) + 7) % 7 : 0
  const startsOn = addDays(from, offset)
  return formatDayRange({ startsOn, endsOn: addDays(startsOn, days - 1) })
}

export function resolveDay({ date, in: distance }: FileDay, today: string): string {
  return date ?? addDays(today, daysOf(distance))
}

function daysOf(distance: string | undefined): number {
  return Number(distance?.split(' ')[0] ?? 0)
}
