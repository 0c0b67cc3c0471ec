import type { Finding, Goal } from './row.ts'

/** The middle value; the mean of the two in the middle of an even number. NaN of nothing. */
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

/** How much of what is allowed was used: up to 1 is good, for floors and for ceilings alike. */
export function shareUsed({ goal, rounds }: Finding): number {
  const reached = median(rounds)
  if (goal.is === 'at least') return goal.value / reached
  // A ceiling of 0.01 may be met by 0.
  return reached / goal.value
}

export function showGoal({ is, value }: Goal, unit: string): string {
  return `${is} ${number(value, decimalsOf(value))}${unit && ` ${unit}`}`
}

/** Such as `31,204 req/s (29,880 to 32,001)`; without the spread when all rounds gave the same. */
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
