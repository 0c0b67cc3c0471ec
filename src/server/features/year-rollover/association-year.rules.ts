import { addDays } from '#contract/days.ts'

const DAY_MS = 86_400_000

/** The term that begins on a day, as content calls it: '2026-27' for July 1, 2026. */
export function termOf(firstDay: string): string {
  return termFrom(Number(firstDay.slice(0, 4)))
}

/** '2025-26' of '2026-27'. */
export function termBefore(term: string): string {
  return termFrom(Number(term.slice(0, 4)) - 1)
}

function termFrom(year: number): string {
  return `${year}-${String((year + 1) % 100).padStart(2, '0')}`
}

/**
 * The year that is to begin: the one whose first day is nearest to today, past or to come; the one after it where that has been moved on to already.
 * @param beginsOn month and day, such as '07-01'
 */
export function yearToBegin({
  today,
  beginsOn,
  isThere,
}: {
  today: string
  beginsOn: string
  isThere(term: string): boolean
}): { firstDay: string; lastDay: string; newLastDay: string; term: string } {
  const year = Number(today.slice(0, 4))
  const distance = (day: string) => Math.abs(Date.parse(day) - Date.parse(today)) / DAY_MS
  const near = [year - 1, year, year + 1].map((one) => `${one}-${beginsOn}`)
  let firstDay = near.reduce((best, day) => (distance(day) < distance(best) ? day : best))
  while (isThere(termOf(firstDay))) firstDay = yearLater(firstDay)
  return {
    firstDay,
    lastDay: addDays(firstDay, -1),
    newLastDay: addDays(yearLater(firstDay), -1),
    term: termOf(firstDay),
  }
}

function yearLater(day: string): string {
  return `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`
}
