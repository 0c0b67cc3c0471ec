import type { PaymentKind } from '#server/db/schema/money-schema.ts'
import { isFullyRefunded, type Returned } from '#server/features/orders/payments/refunded-amount.rules.ts'

/** A payment of any kind, as the officers see it. */
export interface ReceivedPayment extends Required<Returned> {
  id: string
  kind: PaymentKind
  name: string
  email: string
  accountId: string | null
  what: string
  receiptNumber: string
  /** 'Check 1042'; null for a card. */
  byHand: string | null
  /** The reference of a payment by hand. */
  manualReference: string | null
  paidAt: number
  recordedAt: number
  currency: string
  voidReason: string | null
  replacesId: string | null
  /** Cents that were credited toward another membership. */
  credited: number
  /** Cents of refunds on their way. */
  refunding: number
  /** Cents of refunds that failed at the bank. */
  failed: number
  hasCard: boolean
  /** Seats: the RSVP that it paid for, and its event. */
  rsvpId: string | null
  eventId: string | null
}

type Refundable = Pick<
  ReceivedPayment,
  'amount' | 'amountRefunded' | 'dispute' | 'voidedAt' | 'credited' | 'refunding' | 'hasCard' | 'byHand'
>

/** The most that officers can refund of a payment, whatever it is for, or why they cannot. */
export function mostRefundable(payment: Refundable): { most: number; refusal: string | null } {
  const refused = (refusal: string) => ({ most: 0, refusal })
  if (payment.voidedAt !== null) return refused('The record of this payment is canceled.')
  if (payment.amount === 0) return refused('Nothing was paid, so there is nothing to refund.')
  if (!payment.hasCard && payment.byHand === null) {
    return refused('No card was charged for this payment, so there is nothing to refund.')
  }
  if (payment.dispute === 'open') return refused('This payment is disputed, so the bank decides about it.')
  if (isFullyRefunded(payment)) return refused('This payment was already fully refunded.')
  // Refunds by hand that are due have not been paid out yet: recording one counts them as made.
  const left = payment.amount - payment.amountRefunded - (payment.hasCard ? payment.refunding : 0)
  if (left <= 0) return refused('A refund of the rest of this payment is on its way.')
  if (payment.credited >= left) return refused('The rest of this payment was credited toward another membership.')
  return { most: left - payment.credited, refusal: null }
}
