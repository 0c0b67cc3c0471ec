import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { refundSeats } from './rsvp-refund.effects.ts'
import { sendSeatRefund } from './rsvp-money.emails.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import { refundPlan } from './rsvp-price.rules.ts'
import { findRsvpOrder } from './rsvp-order.commands.ts'
import {
  findRsvpRefund,
  insertRsvpRefund,
  listSeatPayments,
  markRsvpRefundDone,
  reopenRsvpRefunds,
  sumFailedRefunds,
  type RsvpRefund,
} from './rsvp-refund.repository.ts'

type RefundCause = Pick<RsvpRefund, 'reason' | 'askedBy'> & { note?: string }

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
  const id = newId(now)
  await insertRsvpRefund(tx, { id, orderId, amount, reason, askedBy, note: note ?? null }, now)
  await addToOutbox(tx, { effect: refundSeats, payload: { refundId: id }, dedupeKey: `rsvp-refund:${id}` }, now)
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
  for (const refundId of await reopenRsvpRefunds(tx, orderId, now)) {
    const dedupeKey = `rsvp-refund:${refundId}:${now}`
    await addToOutbox(tx, { effect: refundSeats, payload: { refundId }, dedupeKey }, now)
  }
  const details = { amount, words: note }
  await writeAudit(tx, { actor: askedBy, action: 'rsvp-payment.refund_asked_again', subjectId: orderId, details }, now)
  return amount
}

/** Makes refunds of seats at the provider, updates our records, then emails the guest. */
export function createSeatRefunds(
  { db, clock, gateway, wakeOutbox }: AppContext,
  { orders }: { orders: Pick<Orders, 'payments'> },
) {
  return {
    async 'payment.rsvp_refund'({ refundId }) {
      const refund = await findRsvpRefund(db, refundId)
      const order = refund && (await findRsvpOrder(db, refund.orderId))
      if (!refund || !order?.paymentReference || refund.doneAt !== null) return
      const { paymentReference: paymentIntentId } = order
      await gateway.refundPartially({ paymentIntentId, refundId: refund.id, amount: refund.amount })
      await orders.payments.sync(paymentIntentId)
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        if (!(await markRsvpRefundDone(tx, refund.id, now))) return
        await addToOutbox(tx, { effect: sendSeatRefund, payload: { id: refund.id } }, now)
      })
      wakeOutbox()
    },
  } satisfies HandlersOf<typeof refundSeats>
}
