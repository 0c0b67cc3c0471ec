import type { YearBasis } from '#contract/console/money/year.ts'

export interface YearSpan {
  /** First and last day. */
  from: string
  to: string
  /** `YYYY-MM` of its twelve months. */
  months: string[]
  /** '2026', or '2026-27' for one that does not begin in January. */
  label: string
}

/** The twelve months of a year. @param beginsIn the month in which a fiscal year begins, 1 for January */
export function yearSpan(year: number, basis: YearBasis, beginsIn: number): YearSpan {
  const first = basis === 'calendar' ? 1 : beginsIn
  const months = Array.from({ length: 12 }, (_, index) => {
    const month = first + index
    return month > 12 ? `${year + 1}-${pad(month - 12)}` : `${year}-${pad(month)}`
  })
  const last = months[11] ?? ''
  const lastDay = new Date(Date.UTC(Number(last.slice(0, 4)), Number(last.slice(5)), 0)).getUTCDate()
  const label = first === 1 ? String(year) : `${year}-${String(year + 1).slice(2)}`
  return { from: `${months[0]}-01`, to: `${last}-${lastDay}`, months, label }
}

/** The year that a day belongs to. */
export function yearOfDay(day: string, basis: YearBasis, beginsIn: number): number {
  const year = Number(day.slice(0, 4))
  return basis === 'fiscal' && Number(day.slice(5, 7)) < beginsIn ? year - 1 : year
}

/** The same day a year before, or the last of February. */
export function yearBefore(day: string): string {
  const before = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  return before.endsWith('-02-29') ? `${before.slice(0, 8)}28` : before
}

const pad = (month: number) => String(month).padStart(2, '0')
