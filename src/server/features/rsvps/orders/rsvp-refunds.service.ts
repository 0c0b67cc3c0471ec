import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { makeRefund } from '#server/features/orders/payments/order-refund.effects.ts'
import { methodOf } from '#server/features/orders/payments/manual-payment.rules.ts'
import { insertRefund, reopenRefunds } from '#server/features/orders/payments/refund.commands.ts'
import type { Refund } from '#server/features/orders/payments/refund.queries.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { refundPlan } from './rsvp-price.rules.ts'
import { findRsvpOrder } from './rsvp-order.commands.ts'
import { listSeatPayments, sumFailedRefunds } from './rsvp-refund.repository.ts'

type RefundCause = Pick<Refund, 'reason' | 'askedBy'> & { note?: string }

/**
 * Queues a refund. Call in the transaction that causes it, with the RSVP settings locked. The refund is made once after the commit, and then an email
 * is sent.
 */
export async function queueRefund(
  tx: Tx,
  payment: { orderId: string; amount: number },
  { reason, askedBy, note }: RefundCause,
  now: number,
): Promise<void> {
  const { orderId, amount } = payment
  // What was not paid by card is returned by an officer: until that is recorded, the refund is due.
  const method = methodOf((await findRsvpOrder(tx, orderId))?.manualReference ?? null, amount)
  const refund = { kind: 'seats', paymentId: orderId, amount, reason, askedBy, note: note ?? null, method } as const
  const id = await insertRefund(tx, refund, now)
  if (method === 'card')
    await addToOutbox(tx, { effect: makeRefund, payload: { refundId: id }, dedupeKey: `rsvp-refund:${id}` }, now)
  const details = { amount, reason, ...(note !== undefined && { words: note }) }
  await writeAudit(tx, { actor: askedBy, action: 'rsvp-payment.refund_asked', subjectId: orderId, details }, now)
}

/** Same as `queueRefund`, for part of a party’s payments, capped at the unrefunded amount. Returns the amount that is refunded. */
export async function queuePartyRefund(
  tx: Tx,
  { rsvpId, amount }: { rsvpId: string; amount: number },
  cause: RefundCause,
  now: number,
): Promise<number> {
  const plan = refundPlan(await listSeatPayments(tx, { rsvpId }), amount)
  for (const part of plan) await queueRefund(tx, { orderId: part.id, amount: part.amount }, cause, now)
  return plan.reduce((sum, part) => sum + part.amount, 0)
}

/**
 * Makes the failed refunds of an order again; they need no new decision. Each refund keeps its id, so one that did arrive or is in progress is not
 * made twice. Returns the failed amount.
 */
export async function retryFailedRefunds(
  tx: Tx,
  orderId: string,
  { askedBy, note }: { askedBy: string; note: string },
  now: number,
): Promise<number> {
  const order = await findRsvpOrder(tx, orderId)
  const amount = order ? await sumFailedRefunds(tx, order) : 0
  if (amount === 0) return 0
  for (const refundId of await reopenRefunds(tx, orderId, now)) {
    const dedupeKey = `rsvp-refund:${refundId}:${now}`
    await addToOutbox(tx, { effect: makeRefund, payload: { refundId }, dedupeKey }, now)
  }
  const details = { amount, words: note }
  await writeAudit(tx, { actor: askedBy, action: 'rsvp-payment.refund_asked_again', subjectId: orderId, details }, now)
  return amount
}
