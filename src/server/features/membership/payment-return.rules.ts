import type { PaymentRecord } from './payment.repository.ts'

/** Whether nothing of a payment is left with us: refunded whole, or lost to the cardholder's bank. */
export function isWhollyReturned({
  amount,
  amountRefunded,
  dispute,
}: Pick<PaymentRecord, 'amount' | 'amountRefunded' | 'dispute'>): boolean {
  // A code that took everything off left nothing that could come back.
  return (amount > 0 && amountRefunded >= amount) || dispute === 'lost'
}

/**
 * Whether a payment is the one the present membership rests on: the newest that began or renewed one. What was paid for earlier years, or for a change
 * of level in between, may come back without ending it.
 * @param payments all of the person's, newest first
 */
export function paysForMembership(payment: Pick<PaymentRecord, 'id'>, payments: readonly PaymentRecord[]): boolean {
  return payments.find(({ purpose }) => purpose !== 'change')?.id === payment.id
}
