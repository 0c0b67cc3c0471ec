import { addTerms, type Term } from '#contract/level-terms.ts'
import { isDay } from '#contract/dates/days.ts'

/** The suggested last day of one term; '' for a lifetime level or without a valid start date. */
export function suggestedEnd(startedOn: string, term: Term): string {
  const end = isDay(startedOn) ? addTerms(Date.parse(startedOn), term) : null
  return end === null ? '' : new Date(end).toISOString().slice(0, 10)
}
