import type { OrderPaymentColumns } from '#server/db/schema/order-schema.ts'

/** What decides how much of a payment is kept. */
export interface Returned {
  amount: number
  amountRefunded: number
  dispute: OrderPaymentColumns['disputeState']
  voidedAt?: number | null
}

/** Whether we keep nothing of a payment: fully refunded, lost in a dispute, or voided. */
export function isFullyRefunded({ amount, amountRefunded, dispute, voidedAt = null }: Returned): boolean {
  if (voidedAt !== null) return true
  // A payment reduced to zero by a coupon code cannot be refunded.
  return (amount > 0 && amountRefunded >= amount) || dispute === 'lost'
}

/** The refunded, lost or voided amount of a payment, in minor units. */
export function refundedAmount(payment: Returned): number {
  return payment.dispute === 'lost' || (payment.voidedAt ?? null) !== null ? payment.amount : payment.amountRefunded
}
