import { TERM_UNITS, type TermUnit } from '#contract/level-terms.ts'
import { termUnit } from '#contract/public/membership.ts'

/** How many of a unit make a term that officers may choose; one of any other unit. */
const COUNTS: Partial<Record<TermUnit, readonly number[]>> = { year: [1, 2, 3], month: [6, 3, 1] }

const LIFE = 'life'

/** The terms of a new level, as value and text of a list to choose from. */
export const TERM_OPTIONS: readonly (readonly [value: string, text: string])[] = [
  ...TERM_UNITS.flatMap((unit) => (COUNTS[unit] ?? [1]).map((count) => termOption(unit, count))),
  [LIFE, 'For life, paid once'],
]

function termOption(unit: TermUnit, count: number) {
  return [`${unit}:${count}`, `${count === 1 ? `A ${unit}` : `${count} ${unit}s`}, renews`] as const
}

/** The term that was chosen, as in the request. @throws for a unit that there is not */
export function readTerm(value: string): { interval: TermUnit | null; intervalCount: number } {
  if (value === LIFE) return { interval: null, intervalCount: 1 }
  const [unit, count] = value.split(':')
  return { interval: termUnit.parse(unit), intervalCount: Number(count) }
}
