import { isManualPayment } from '#server/features/orders/payments/manual-payment.rules.ts'
import { addTerms, type Term } from '#contract/level-terms.ts'
import type { PaymentRecord } from './payment.queries.ts'
import {
  isFullyRefunded,
  refundedAmount,
  type Returned,
} from '#server/features/orders/payments/refunded-amount.rules.ts'

export type RefundablePayment = Returned &
  Pick<
    PaymentRecord,
    'id' | 'purpose' | 'recordedAt' | 'activatedAt' | 'periodEndsAt' | 'checkoutId' | 'paymentIntentId'
  >

/** The current membership, as input for the effect of a refund. */
export interface RefundableTerm {
  startedAt: number
  endsAt: number | null
  /** null for a manually renewed term. */
  stripeStatus: string | null
  pastDueSince: number | null
  /** Whether the current term is complimentary. */
  isGranted: boolean
}

/** The effect of a full refund on a membership: none, an earlier end date, or its end. */
export type RefundEffect = 'untouched' | { endsAt: number } | 'over'

const DAY_MS = 86_400_000

/** The amount that can still be refunded or credited: excludes refunds (also requested ones) and credits; zero during a dispute. */
export function availableAmount(payment: Returned & Pick<PaymentRecord, 'refundAsked' | 'credited'>): number {
  if (payment.dispute === 'open') return 0
  return Math.max(0, payment.amount - Math.max(refundedAmount(payment), payment.refundAsked) - payment.credited)
}

/** The amount the member owes because it was both credited and refunded. */
export function creditOwed(payment: Returned & Pick<PaymentRecord, 'credited'>): number {
  return Math.max(0, Math.min(payment.credited, payment.credited + refundedAmount(payment) - payment.amount))
}

/** How much of a payment the console can refund to the card, or why it cannot. */
export type RefundOption = { amount: number; refusal: null } | { amount: 0; refusal: string }

export function refundOption(
  payment: Returned & Pick<PaymentRecord, 'credited' | 'refunding' | 'paymentIntentId' | 'reference'>,
): RefundOption {
  const refused = (refusal: string): RefundOption => ({ amount: 0, refusal })
  if (payment.paymentIntentId === null && isManualPayment(payment.reference)) {
    return refused('This was not paid by card. Cancel its receipt, or record a refund that you made yourself.')
  }
  if (payment.paymentIntentId === null)
    return refused('No card was charged for this payment, so there is nothing to refund.')
  if (payment.dispute === 'open') return refused('This payment is disputed, so the bank decides about it.')
  if (isFullyRefunded(payment)) return refused('This payment was already fully refunded.')
  const remaining = payment.amount - payment.amountRefunded - payment.refunding
  if (remaining <= 0) return refused('A refund of the rest of this payment is on its way.')
  if (payment.credited >= remaining) {
    return refused('The rest of this payment was credited toward another membership.')
  }
  return { amount: remaining - payment.credited, refusal: null }
}

/**
 * The effect of a full refund of the payment `returned` on the current membership. There is one only if the current term depends on that payment: not when it
 * was for an earlier year, for another membership (including a merged one), for a change of level, or when another payment covers the
 * same term.
 * @param payments all of the account's current payments, newest first
 */
export function effectOfRefund(
  term: RefundableTerm,
  known: { returned: string; payments: readonly RefundablePayment[]; level: Term | null; now: number },
): RefundEffect {
  const own = known.payments.filter((payment) => isFor(payment, term))
  if (term.isGranted || !own.some(({ id }) => id === known.returned)) return 'untouched'
  const { stripeStatus, endsAt } = term
  return stripeStatus === null && endsAt !== null
    ? afterManualRefund(endsAt, own, known)
    : afterFullRefund(term, own, known)
}

/** Whether a payment started or renewed this membership. The first payment is recorded in the same transaction as the membership. */
function isFor(payment: RefundablePayment, term: RefundableTerm): boolean {
  const { purpose, recordedAt, checkoutId, paymentIntentId } = payment
  if (purpose === 'change') return false
  // A correction is recorded after the start of the term it paid for.
  const activatedAt = payment.activatedAt ?? recordedAt
  if (purpose === 'start') return activatedAt === term.startedAt
  const isInvoice = checkoutId === null && paymentIntentId !== null
  return activatedAt >= term.startedAt && isInvoice === (term.stripeStatus !== null)
}

/** A subscription or lifetime membership ends when every payment for it was refunded. */
function afterFullRefund(
  term: RefundableTerm,
  own: readonly RefundablePayment[],
  { returned, level }: { returned: string; level: Term | null },
): RefundEffect {
  const { endsAt, pastDueSince } = term
  // With an unpaid renewal, the current period is the unpaid one; the last paid one is the period before.
  const paidUntil = endsAt !== null && pastDueSince !== null ? oneBefore(endsAt, level) : endsAt
  const matching = own.filter((payment) => endsWith(payment, paidUntil))
  // The provider may have started another period, or changed its length, since the last payment.
  const covering = matching.length === 0 && endsAt !== null ? own.slice(0, 1) : matching
  return covering.some(({ id }) => id === returned) && covering.every(isFullyRefunded) ? 'over' : 'untouched'
}

/** A manual term is shortened by one interval for each refunded renewal at its end. */
function afterManualRefund(
  endsAt: number,
  own: readonly RefundablePayment[],
  { returned, level, now }: { returned: string; level: Term | null; now: number },
): RefundEffect {
  const atEnd = own.filter((payment) => endsWith(payment, endsAt))
  if (!atEnd.some(({ id }) => id === returned)) return 'untouched'
  let paidUntil: number | null = endsAt
  while (paidUntil !== null && isReturnedAt(paidUntil, own)) {
    // No payment precedes the first term, however long an officer made it.
    const isFirst = own.some((payment) => payment.purpose === 'start' && endsWith(payment, paidUntil))
    paidUntil = isFirst ? null : oneBefore(paidUntil, level)
  }
  if (paidUntil === null || paidUntil <= now) return 'over'
  return paidUntil === endsAt ? 'untouched' : { endsAt: paidUntil }
}

function isReturnedAt(endsAt: number, own: readonly RefundablePayment[]): boolean {
  const covering = own.filter((payment) => endsWith(payment, endsAt))
  return covering.length > 0 && covering.every(isFullyRefunded)
}

/** Whether a replaced membership can resume: its term has not ended and its payments were not all refunded. */
export function isResumable(
  {
    endsAt,
    endedAt,
    stripeSubscriptionId,
  }: { endsAt: number | null; endedAt: number | null; stripeSubscriptionId: string | null },
  payments: readonly RefundablePayment[],
  now: number,
): boolean {
  if (endsAt === null || endsAt <= now) return false
  // Later payments were for the replacement.
  const own = payments.filter(
    (payment) => endsWith(payment, endsAt) && (payment.activatedAt ?? payment.recordedAt) < (endedAt ?? now),
  )
  // A manual term without payments may have been free; a subscription period without payments was never paid.
  if (own.length === 0) return stripeSubscriptionId === null
  return !own.every(isFullyRefunded)
}

function oneBefore(endsAt: number, level: Term | null): number | null {
  return level && addTerms(endsAt, level, -1)
}

function endsWith({ periodEndsAt }: RefundablePayment, endsAt: number | null): boolean {
  if (periodEndsAt === null || endsAt === null) return periodEndsAt === endsAt
  return Math.abs(periodEndsAt - endsAt) < DAY_MS
}
