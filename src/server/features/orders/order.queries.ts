import type { OrderColumns as Columns, OrderPaymentColumns } from '#server/db/schema/order-schema.ts'
import type { Schema } from '#server/db/schema/schema.ts'

export type OrderState = 'creating' | 'open' | 'paid' | 'completed' | 'refunded' | 'expired' | 'failed'

/** States in which an order may still be paid. */
export const PENDING_STATES = ['creating', 'open'] as const

/** States of an order that was paid. `completed` is the older word for a membership. */
const PAID_STATES: readonly OrderState[] = ['paid', 'completed', 'refunded']

/** What the machine reads of an order, whatever is bought. */
export type Order = Omit<OrderColumns, 'openKey' | 'paidAt'>

export type OrderColumns = Columns<OrderState>

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
