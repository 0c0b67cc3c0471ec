import { addDays } from '#contract/dates/days.ts'
import { addInterval } from '#server/features/memberships/membership.rules.ts'

/** An unanswered question postpones the recheck for this long. */
const ANSWER_WITHIN_DAYS = 30
const TRAINING_AHEAD_YEARS = 10

const DAY_MS = 86_400_000

/** Credentials last reviewed before this instant are due again; null when rechecks are off (`recheckMonths` 0). */
export function recheckCutoff(now: number, recheckMonths: number): number | null {
  return recheckMonths === 0 ? null : addInterval(now, 'month', -recheckMonths)
}

/** Questions asked after this instant are still open. */
export function openQuestionsSince(now: number): number {
  return now - ANSWER_WITHIN_DAYS * DAY_MS
}

/** Why approved credentials are due for a recheck; null when they are not. */
export function recheckReason(
  { endsOn, countedFrom }: { endsOn: string | null; countedFrom: number },
  { today, before }: { today: string; before: number | null },
): 'training' | 'time' | null {
  if (endsOn !== null && endsOn < today) return 'training'
  return before !== null && countedFrom <= before ? 'time' : null
}

/** Validates the end date of a training program. */
export function validateTrainingEnd(endsOn: string, today: string): 'past' | 'far' | null {
  if (endsOn < today) return 'past'
  return endsOn > addDays(today, TRAINING_AHEAD_YEARS * 366) ? 'far' : null
}

/** Whether to ask a member for their current status: the training has ended and they have not been asked since. */
export function shouldAskAfterTraining(
  { endsOn, askedOn }: { endsOn: string | null; askedOn: string | null },
  today: string,
): boolean {
  return endsOn !== null && endsOn < today && (askedOn === null || askedOn <= endsOn)
}
