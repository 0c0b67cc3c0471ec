import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'

const FIRST_TERM_DAYS = 365

/** The term of an officer whom the webmaster made: long enough to give the others theirs. */
export function firstTerm(now: number, timeZone: string): { startsOn: string; endsOn: string } {
  const startsOn = dayOf(now, timeZone)
  return { startsOn, endsOn: addDays(startsOn, FIRST_TERM_DAYS) }
}
