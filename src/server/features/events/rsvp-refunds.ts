import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import { newId } from '#server/platform/ids.ts'
import type { EffectHandler } from '#server/platform/outbox-worker.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { createOrderReturns, type OrderReturns, type ReturnTools } from '../billing/order-returns.ts'
import { refundPlan } from './rsvp-price.rules.ts'
import { findRsvpOrder, findRsvpOrderByPayment, updateRsvpOrderReturned } from './rsvp-order.repository.ts'
import {
  findRsvpRefund,
  insertRsvpRefund,
  listSeatPayments,
  markRsvpRefundDone,
  type RsvpRefund,
} from './rsvp-refund.repository.ts'

type Why = Pick<RsvpRefund, 'reason' | 'askedBy'> & { words?: string }

/** Call in the transaction of the fact, with the offer held. The money goes back after it, once; a letter says so then. */
export async function askRefund(
  tx: Tx,
  payment: { orderId: string; amount: number },
  { reason, askedBy, words }: Why,
  now: number,
): Promise<void> {
  const { orderId, amount } = payment
  const id = newId(now)
  await insertRsvpRefund(tx, { id, orderId, amount, reason, askedBy, words: words ?? null }, now)
  await addToOutbox(tx, { kind: 'payment.rsvp_refund', payload: { refundId: id }, dedupeKey: `rsvp-refund:${id}` }, now)
  const details = { amount, reason, ...(words !== undefined && { words }) }
  await writeAudit(tx, { actor: askedBy, action: 'rsvp-payment.refund_asked', subjectId: orderId, details }, now)
}

/** The same for so much of whatever a party paid; never more than is left of it. Answers how much goes back. */
export async function askRefundOf(
  tx: Tx,
  { rsvpId, amount }: { rsvpId: string; amount: number },
  why: Why,
  now: number,
): Promise<number> {
  const plan = refundPlan(await listSeatPayments(tx, { rsvpId }), amount)
  for (const part of plan) await askRefund(tx, { orderId: part.id, amount: part.amount }, why, now)
  return plan.reduce((sum, part) => sum + part.amount, 0)
}

export interface RsvpReturns extends OrderReturns {
  effects: Record<string, EffectHandler>
}

/** Money that goes back: at the provider, then in our books, then told. */
export function createRsvpReturns(tools: ReturnTools): RsvpReturns {
  const { db, clock, gateway, wakeOutbox } = tools
  const returns = createOrderReturns(tools, {
    name: 'payment',
    action: 'rsvp-payment.returned',
    find: findRsvpOrderByPayment,
    update: updateRsvpOrderReturned,
  })
  return {
    ...returns,

    effects: {
      async 'payment.rsvp_refund'({ refundId }) {
        const refund = await findRsvpRefund(db, String(refundId))
        const order = refund && (await findRsvpOrder(db, refund.orderId))
        if (!refund || !order?.paymentReference || refund.doneAt !== null) return
        const { paymentReference: paymentIntentId } = order
        await gateway.refundPart({ paymentIntentId, refundId: refund.id, amount: refund.amount })
        await returns.sync(paymentIntentId)
        await db.transaction().execute(async (tx) => {
          const now = clock.now()
          if (!(await markRsvpRefundDone(tx, refund.id, now))) return
          const letter = { kind: 'letter.rsvp_refund', payload: { id: refund.id } }
          await addToOutbox(tx, { ...letter, dedupeKey: `rsvp-refunded:${refund.id}` }, now)
        })
        wakeOutbox()
      },
    },
  }
}
