import { addDays } from '#contract/dates/days.ts'

/**
 * Returns the next day, today included, on which applications close.
 * @param deadline month and day, `MM-DD`; February 29 becomes March 1 in other years
 */
export function nextDeadline(deadline: string, today: string): string {
  const year = Number(today.slice(0, 4))
  const ofYear = (wanted: number) => addDays(`${wanted}-${deadline.slice(0, 2)}-01`, Number(deadline.slice(3)) - 1)
  return ofYear(year) >= today ? ofYear(year) : ofYear(year + 1)
}

/** The last day to apply and the days until then; null before the first day of the month that precedes it. */
export function countdownTo(deadline: string, today: string): { day: string; days: number } | null {
  const day = nextDeadline(deadline, today)
  const beginsOn = `${addDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7)}-01`
  return today < beginsOn ? null : { day, days: daysBetween(today, day) }
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}
