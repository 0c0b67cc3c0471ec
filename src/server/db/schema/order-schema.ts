/** The columns of every table of orders. */
export interface OrderColumns<State extends string> {
  id: string
  /** Cents, charged now. */
  amount: number
  currency: string
  state: State
  /** Unique while the order is pending, else null: what one buyer may have open once. */
  openKey: string | null
  /** Part of the idempotency key; incremented after an inconclusive response. */
  attempt: number
  leasedUntil: number | null
  stripeSessionId: string | null
  url: string | null
  nonceHash: string
  createdAt: number
  expiresAt: number
  checkedAt: number
  paidAt: number | null
}

/** The columns of a table that also keeps the payment. */
export interface OrderPaymentColumns {
  /** The payment intent. */
  paymentReference: string | null
  receiptNumber: string | null
  /** As reported by the provider. */
  amountRefunded: number
  refundedAt: number | null
  disputeState: 'open' | 'won' | 'lost' | null
  /** Identifies a payment outside the card provider; null for cards and for a canceled record. */
  manualReference: string | null
  /** When an officer recorded it; null for cards. */
  recordedAt: number | null
  /** When an officer canceled the record. Its receipt keeps its number. */
  voidedAt: number | null
  voidedBy: string | null
  voidReason: string | null
  /** The canceled payment that this one corrects. */
  replacesId: string | null
}

/** The states of an order that keeps its payment. */
export type PaidOrderState = 'creating' | 'open' | 'paid' | 'expired' | 'failed'
