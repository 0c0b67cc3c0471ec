import { addDays } from '#contract/days.ts'
import { addInterval } from './membership.rules.ts'

/** A question that nobody answered holds a re-check back for so long. */
const ANSWER_WITHIN_DAYS = 30
const TRAINING_AHEAD_YEARS = 10

const DAY_MS = 86_400_000

/** What was looked at last before this is to be looked at again; null when nothing is (`recheckMonths` 0). */
export function lookAgainBefore(now: number, recheckMonths: number): number | null {
  return recheckMonths === 0 ? null : addInterval(now, 'month', -recheckMonths)
}

/** Questions that were asked after this may still be answered. */
export function answersOpenSince(now: number): number {
  return now - ANSWER_WITHIN_DAYS * DAY_MS
}

/** Why something approved is to be looked at again; null while it is not. */
export function whyAgain(
  { endsOn, countedFrom }: { endsOn: string | null; countedFrom: number },
  { today, before }: { today: string; before: number | null },
): 'training' | 'time' | null {
  if (endsOn !== null && endsOn < today) return 'training'
  return before !== null && countedFrom <= before ? 'time' : null
}

/** Whether a day may be the end of somebody's training from today on. */
export function trainingEndFault(endsOn: string, today: string): 'past' | 'far' | null {
  if (endsOn < today) return 'past'
  return endsOn > addDays(today, TRAINING_AHEAD_YEARS * 366) ? 'far' : null
}

/** Whether its owner is to be asked what they are now: the training is over, and they were not asked since. */
export function mustAskAfterTraining(
  { endsOn, askedOn }: { endsOn: string | null; askedOn: string | null },
  today: string,
): boolean {
  return endsOn !== null && endsOn < today && (askedOn === null || askedOn <= endsOn)
}
