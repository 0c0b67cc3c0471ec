/** The units of a level's term, in calendar months. A new unit is one more entry. */
const MONTHS = { year: 12, month: 1 } as const

export type TermUnit = keyof typeof MONTHS

export const TERM_UNITS = Object.keys(MONTHS) as TermUnit[]

/** How long one term of a level lasts; without an interval it lasts for life. */
export interface Term {
  interval: TermUnit | null
  intervalCount: number | null
}

/** null for life. */
export function termMonths({ interval, intervalCount }: Term): number | null {
  return interval && MONTHS[interval] * (intervalCount ?? 1)
}

/** Whether the card provider charges for every further term. Otherwise the level lasts for life, or is free. */
export function isChargedAutomatically({
  isRecurring,
  unitAmount,
}: {
  isRecurring: boolean
  unitAmount: number
}): boolean {
  return isRecurring && unitAmount > 0
}

/** Adds calendar months in UTC, clamping to the last day of the month. */
export function addMonths(instant: number, months: number): number {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}

/** The end of a term that starts at an instant, or with -1 the start of one that ends there; null for life. */
export function addTerms(instant: number, term: Term, count = 1): number | null {
  const months = termMonths(term)
  return months === null ? null : addMonths(instant, months * count)
}
