import { fieldProblem } from '#server/lib/problem.ts'
import { isFutureDay, paidAtOn } from '../term-days.rules.ts'

/**
 * The time of a payment for the day that an officer typed.
 * @throws Problem INVALID_INPUT at `paidOn` for days in the future
 */
export function requirePaidAt(paidOn: string, now: number): number {
  if (isFutureDay(paidOn, now)) throw fieldProblem('paidOn', 'This date is in the future')
  return paidAtOn(paidOn, now)
}
