import { isByHand } from './by-hand.rules.ts'
import { addInterval } from './membership.rules.ts'
import type { PaymentRecord } from './payment.repository.ts'

type Returned = Pick<PaymentRecord, 'amount' | 'amountRefunded' | 'dispute'> & Partial<Pick<PaymentRecord, 'voidedAt'>>

export type ReturnedPayment = Returned &
  Pick<
    PaymentRecord,
    'id' | 'purpose' | 'recordedAt' | 'activatedAt' | 'periodEndsAt' | 'checkoutId' | 'paymentIntentId'
  >

/** The present membership, as far as it matters to what paid for it. */
export interface PresentTerm {
  startedAt: number
  endsAt: number | null
  /** null for a term by hand. */
  stripeStatus: string | null
  pastDueSince: number | null
  /** Whether an officer gave this very term for nothing. */
  isGranted: boolean
}

/** What becomes of a membership when a payment came back whole: nothing, an end nearer by what is no longer paid for, or its end. */
export type AfterReturn = 'untouched' | { endsAt: number } | 'over'

interface Interval {
  interval: 'year' | 'month' | null
  intervalCount: number | null
}

const DAY_MS = 86_400_000

/** Whether nothing of a payment is left with us: refunded whole, lost to the cardholder's bank, or a check whose record was canceled. */
export function isWhollyReturned({ amount, amountRefunded, dispute, voidedAt = null }: Returned): boolean {
  if (voidedAt !== null) return true
  // A code that took everything off left nothing that could come back.
  return (amount > 0 && amountRefunded >= amount) || dispute === 'lost'
}

/** What of a payment is not ours any more, in minor units. */
export function returnedOf(payment: Returned): number {
  return payment.dispute === 'lost' || (payment.voidedAt ?? null) !== null ? payment.amount : payment.amountRefunded
}

/** What of a payment can still become a refund or a credit: neither returned or asked to be, nor credited, nor in question at the bank. */
export function unspentOf(payment: Returned & Pick<PaymentRecord, 'refundAsked' | 'credited'>): number {
  if (payment.dispute === 'open') return 0
  return Math.max(0, payment.amount - Math.max(returnedOf(payment), payment.refundAsked) - payment.credited)
}

/** What was credited and came back all the same: the member owes it. */
export function creditOwed(payment: Returned & Pick<PaymentRecord, 'credited'>): number {
  return Math.max(0, Math.min(payment.credited, payment.credited + returnedOf(payment) - payment.amount))
}

/** How much of a payment the console can give back by card, or why nothing. */
export type Refund = { amount: number; refusal: null } | { amount: 0; refusal: string }

export function refundOf(
  payment: Returned & Pick<PaymentRecord, 'credited' | 'paymentIntentId' | 'reference'>,
): Refund {
  const refused = (refusal: string): Refund => ({ amount: 0, refusal })
  if (payment.paymentIntentId === null && isByHand(payment.reference)) {
    return refused(
      'This was paid by check or cash, so no card can be refunded. Cancel its receipt, and return the money yourself.',
    )
  }
  if (payment.paymentIntentId === null)
    return refused('No card was charged for this payment, so there is nothing to refund.')
  if (payment.dispute === 'open') return refused('The bank decides about this payment: it is disputed.')
  if (isWhollyReturned(payment)) return refused('All of this payment was returned.')
  const left = payment.amount - payment.amountRefunded
  if (payment.credited >= left) {
    return refused('What is left of this payment was credited toward another membership.')
  }
  return { amount: left - payment.credited, refusal: null }
}

/**
 * What becomes of the present membership when the payment `returned` came back whole. It is touched only when it rests on that payment: not when it
 * was for an earlier year, for another membership (also one that a merge brought here), for a change of level, or when something else pays for the
 * same term.
 * @param payments all of the person's as they are now, newest first
 */
export function afterReturn(
  term: PresentTerm,
  known: { returned: string; payments: readonly ReturnedPayment[]; level: Interval | null; now: number },
): AfterReturn {
  const own = known.payments.filter((payment) => isFor(payment, term))
  if (term.isGranted || !own.some(({ id }) => id === known.returned)) return 'untouched'
  const { stripeStatus, endsAt } = term
  return stripeStatus === null && endsAt !== null
    ? afterReturnByHand(endsAt, own, known)
    : afterReturnOfAll(term, own, known)
}

/** Whether a payment began this membership or renewed it. A beginning is recorded with the membership, in one transaction. */
function isFor(payment: ReturnedPayment, term: PresentTerm): boolean {
  const { purpose, recordedAt, checkoutId, paymentIntentId } = payment
  if (purpose === 'change') return false
  // A correction is recorded later than what it paid for began.
  const activatedAt = payment.activatedAt ?? recordedAt
  if (purpose === 'start') return activatedAt === term.startedAt
  const isInvoice = checkoutId === null && paymentIntentId !== null
  return activatedAt >= term.startedAt && isInvoice === (term.stripeStatus !== null)
}

/** A subscription, or a membership for life: it is over when nothing of what pays for it is left. */
function afterReturnOfAll(
  term: PresentTerm,
  own: readonly ReturnedPayment[],
  { returned, level }: { returned: string; level: Interval | null },
): AfterReturn {
  const { endsAt, pastDueSince } = term
  // While a renewal is owed its year is the running one already: what was paid is the year before.
  const paidUntil = endsAt !== null && pastDueSince !== null ? oneBefore(endsAt, level) : endsAt
  const matching = own.filter((payment) => endsWith(payment, paidUntil))
  // The provider may have begun another period, or another kind of period, since the last payment.
  const bearing = matching.length === 0 && endsAt !== null ? own.slice(0, 1) : matching
  return bearing.some(({ id }) => id === returned) && bearing.every(isWhollyReturned) ? 'over' : 'untouched'
}

/** A term by hand goes back by one interval for each renewal at its end that was returned. */
function afterReturnByHand(
  endsAt: number,
  own: readonly ReturnedPayment[],
  { returned, level, now }: { returned: string; level: Interval | null; now: number },
): AfterReturn {
  const atEnd = own.filter((payment) => endsWith(payment, endsAt))
  if (!atEnd.some(({ id }) => id === returned)) return 'untouched'
  let paidUntil: number | null = endsAt
  while (paidUntil !== null && isReturnedAt(paidUntil, own)) {
    // Nothing was paid before the beginning, however long an officer made the first term.
    const isFirst = own.some((payment) => payment.purpose === 'start' && endsWith(payment, paidUntil))
    paidUntil = isFirst ? null : oneBefore(paidUntil, level)
  }
  if (paidUntil === null || paidUntil <= now) return 'over'
  return paidUntil === endsAt ? 'untouched' : { endsAt: paidUntil }
}

function isReturnedAt(endsAt: number, own: readonly ReturnedPayment[]): boolean {
  const bearing = own.filter((payment) => endsWith(payment, endsAt))
  return bearing.length > 0 && bearing.every(isWhollyReturned)
}

/** Whether a membership that was replaced can go on: its term is not over, and what paid for it was not returned. */
export function isResumable(
  {
    endsAt,
    endedAt,
    stripeSubscriptionId,
  }: { endsAt: number | null; endedAt: number | null; stripeSubscriptionId: string | null },
  payments: readonly ReturnedPayment[],
  now: number,
): boolean {
  if (endsAt === null || endsAt <= now) return false
  // What was paid since then was for what replaced it.
  const own = payments.filter(
    (payment) => endsWith(payment, endsAt) && (payment.activatedAt ?? payment.recordedAt) < (endedAt ?? now),
  )
  // A term by hand may have been free; the period of a subscription may never have been paid.
  if (own.length === 0) return stripeSubscriptionId === null
  return !own.every(isWhollyReturned)
}

function oneBefore(endsAt: number, level: Interval | null): number | null {
  return level?.interval ? addInterval(endsAt, level.interval, -(level.intervalCount ?? 1)) : null
}

function endsWith({ periodEndsAt }: ReturnedPayment, endsAt: number | null): boolean {
  if (periodEndsAt === null || endsAt === null) return periodEndsAt === endsAt
  return Math.abs(periodEndsAt - endsAt) < DAY_MS
}
