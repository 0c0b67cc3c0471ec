import { dateFormat } from '#contract/formatters.ts'
import type { TextPage } from '#contract/public/association.ts'

/** Words for a deadline: 'in 8 days' and 'Monday, November 30'. */
export function countdownText({ day, days }: NonNullable<TextPage['countdown']>): { when: string; date: string } {
  const format = dateFormat({ weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })
  const date = format.format(new Date(`${day}T00:00:00Z`))
  if (days === 0) return { when: 'today', date }
  return { when: days === 1 ? 'tomorrow' : `in ${days} days`, date }
}
