import type { Finding, Goal } from './row.ts'

/** The median; the mean of the two middle values for an even count. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper
}

export function isReached({ goal, rounds }: Finding): boolean {
  const reached = median(rounds)
  if (goal.is === 'at least') return reached >= goal.value
  return goal.is === 'at most' ? reached <= goal.value : reached < goal.value
}

/** The used share of the allowed amount: up to 1 is good, for minimums and maximums alike. */
export function shareUsed({ goal, rounds }: Finding): number {
  const reached = median(rounds)
  if (goal.is === 'at least') return goal.value / reached
  // A maximum of 0.01 may be met by 0.
  return reached / goal.value
}

export function showGoal({ is, value }: Goal, unit: string): string {
  return `${is} ${number(value, decimalsOf(value))}${unit && ` ${unit}`}`
}

/** Such as `31,204 req/s (29,880 to 32,001)`; without the range when all rounds are equal. */
export function showReached({ rounds, unit, digits, missing }: Finding): string {
  if (rounds.length === 0) return `not measured: ${missing ?? 'no reason given'}`
  const [low, middle, high] = [Math.min(...rounds), median(rounds), Math.max(...rounds)].map((value) =>
    number(value, digits),
  )
  const spread = low === high ? '' : ` (${low} to ${high})`
  return `${middle}${unit && ` ${unit}`}${spread}`
}

export function number(value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function decimalsOf(value: number): number {
  return String(value).split('.')[1]?.length ?? 0
}
