import { MONTHS } from '#contract/dates/days.ts'

const short = (month: string) => (MONTHS[Number(month) - 1] ?? '').slice(0, 3)

/** `2026-11` as 'Nov 2026'. */
export function shortMonth(month: string): string {
  const [year = '', number = ''] = month.split('-')
  return `${short(number)} ${year}`
}

/** `2026-11-23` as 'Nov 23'. */
export function shortDay(day: string): string {
  const [, month = '', date = ''] = day.split('-')
  return `${short(month)} ${Number(date)}`
}
