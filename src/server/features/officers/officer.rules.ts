import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'

const FIRST_TERM_DAYS = 365

/** The first term of an officer appointed by the webmaster: long enough to assign the other roles. */
export function firstTerm(now: number, timeZone: string): { startsOn: string; endsOn: string } {
  const startsOn = dayOf(now, timeZone)
  return { startsOn, endsOn: addDays(startsOn, FIRST_TERM_DAYS) }
}
