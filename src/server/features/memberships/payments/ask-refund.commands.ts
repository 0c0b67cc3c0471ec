import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { makeRefund, REFUND_RETRY_MS } from '#server/features/orders/payments/order-refund.effects.ts'
import { insertRefund } from '#server/features/orders/payments/refund.commands.ts'
import { expireCreditedCheckouts } from './payment-credit.commands.ts'
import { setRefundRequested } from './payment.commands.ts'
import type { PaymentRecord } from './payment.queries.ts'

/**
 * Requests a refund of dues to the card, in a transaction that holds the account's lock. From then on the payment gives no credit, so it is never both refunded
 * and credited. Returns its id: make it after the commit.
 * @param refund the officer's account id
 */
export async function askDuesRefund(
  tx: Tx,
  { id: paymentId, accountId, receiptNumber, refundAsked, amountRefunded, refunding }: PaymentRecord,
  { by, amount, reason, now }: { by: string; amount: number; reason: string; now: number },
): Promise<string> {
  const refund = { kind: 'dues', paymentId, amount, reason: 'officer', note: reason, askedBy: by } as const
  const refundId = await insertRefund(tx, refund, now)
  const dueAt = now + REFUND_RETRY_MS
  await addToOutbox(tx, { effect: makeRefund, payload: { refundId }, dedupeKey: `refund:${refundId}`, dueAt }, now)
  await setRefundRequested(tx, paymentId, Math.max(refundAsked, amountRefunded + refunding) + amount)
  await expireCreditedCheckouts(tx, paymentId, now)
  const details = { reason, receiptNumber, amount }
  await writeAudit(tx, { actor: by, action: 'payment.refund_asked', subjectId: accountId, details }, now)
  return refundId
}
