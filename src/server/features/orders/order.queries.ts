import type { Schema } from '#server/db/schema/schema.ts'

export type OrderState = 'creating' | 'open' | 'paid' | 'completed' | 'refunded' | 'expired' | 'failed'

/** States in which an order may still be paid. */
export const PENDING_STATES = ['creating', 'open'] as const

/** States of an order that was paid. `completed` is the older word for a membership. */
const PAID_STATES: readonly OrderState[] = ['paid', 'completed', 'refunded']

/** What the machine reads of an order, whatever is bought. */
export interface Order {
  id: string
  amount: number
  currency: string
  state: OrderState
  /** Part of the idempotency key; incremented after an inconclusive response. */
  attempt: number
  leasedUntil: number | null
  stripeSessionId: string | null
  url: string | null
  nonceHash: string
  createdAt: number
  expiresAt: number
  checkedAt: number
}

/** The columns of every table of orders. */
export interface OrderColumns extends Order {
  /** Unique while the order is pending, else null: what one buyer may have open once. */
  openKey: string | null
  paidAt: number | null
}

/** The columns of a table that also keeps the payment. */
export interface OrderPaymentColumns {
  paymentReference: string | null
  receiptNumber: string | null
  amountRefunded: number
  refundedAt: number | null
  disputeState: 'open' | 'won' | 'lost' | null
}

/** Tables of orders. */
export type OrderTable = TablesWith<OrderColumns>

/** Tables of orders that also keep the payment. */
export type PaidOrderTable = TablesWith<OrderColumns & OrderPaymentColumns>

type TablesWith<Columns> = { [Table in keyof Schema]: Schema[Table] extends Columns ? Table : never }[keyof Schema]

export function isPending({ state }: Pick<Order, 'state'>): boolean {
  return state === 'creating' || state === 'open'
}

export function isPaid({ state }: Pick<Order, 'state'>): boolean {
  return PAID_STATES.includes(state)
}
