import { addDays } from '#contract/dates/days.ts'

const DAY_MS = 86_400_000

/** Returns the term that begins on a day, as used in content: '2026-27' for July 1, 2026. */
export function termStartingOn(firstDay: string): string {
  return termFrom(Number(firstDay.slice(0, 4)))
}

/** Returns '2025-26' for '2026-27'. */
export function termBefore(term: string): string {
  return termFrom(Number(term.slice(0, 4)) - 1)
}

function termFrom(year: number): string {
  return `${year}-${String((year + 1) % 100).padStart(2, '0')}`
}

/**
 * Returns the year to set up: the one whose first day is nearest to today, or the next one that has not been rolled
 * over yet.
 * @param beginsOn month and day, e.g. '07-01'
 */
export function findNextYear({
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
  while (isThere(termStartingOn(firstDay))) firstDay = yearLater(firstDay)
  return {
    firstDay,
    lastDay: addDays(firstDay, -1),
    newLastDay: addDays(yearLater(firstDay), -1),
    term: termStartingOn(firstDay),
  }
}

function yearLater(day: string): string {
  return `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`
}
