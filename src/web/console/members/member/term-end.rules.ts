import { termMonths, type Term } from '#contract/level-terms.ts'
import { addDays, isDay } from '#contract/dates/days.ts'

/** The suggested last day of one term; '' for a lifetime level or without a valid start date. */
export function suggestedEnd(startedOn: string, term: Term): string {
  const months = termMonths(term)
  if (months === null || !isDay(startedOn)) return ''
  const [year = 0, month = 1, date = 1] = startedOn.split('-').map(Number)
  const index = year * 12 + month - 1 + months
  const first = `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`
  // Shorter months use their last day.
  for (let day = date; day > 28; day--) if (isDay(`${first}-${day}`)) return `${first}-${day}`
  return addDays(`${first}-01`, Math.min(date, 28) - 1)
}
