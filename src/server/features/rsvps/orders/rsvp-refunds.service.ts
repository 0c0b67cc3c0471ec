import type { Db, Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import { newId } from '#server/platform/ids.ts'
import type { EffectHandler } from '#server/platform/outbox-worker.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { createOrderReturns, type OrderReturns, type ReturnTools } from '../billing/order-returns.ts'
import { failedRefunds, refundPlan } from './rsvp-price.rules.ts'
import {
  findRsvpOrder,
  findRsvpOrderByPayment,
  updateRsvpOrderReturned,
  type RsvpOrder,
} from './rsvp-order.repository.ts'
import {
  findRsvpRefund,
  insertRsvpRefund,
  listSeatPayments,
  markRsvpRefundDone,
  reopenRsvpRefunds,
  sumMadeRefunds,
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

/** Cents of an order that were on their way back and did not arrive. */
export async function sumFailedRefunds(db: Db, order: RsvpOrder): Promise<number> {
  return failedRefunds({ ...order, made: await sumMadeRefunds(db, order.id) })
}

/**
 * What failed at the bank is made again, and nothing else of the order: that it goes back was decided before. Each refund keeps its mark, so one that
 * did arrive, or is on its way, is not made twice. Answers how much failed.
 */
export async function askFailedAgain(
  tx: Tx,
  orderId: string,
  { askedBy, words }: { askedBy: string; words: string },
  now: number,
): Promise<number> {
  const order = await findRsvpOrder(tx, orderId)
  const amount = order ? await sumFailedRefunds(tx, order) : 0
  if (amount === 0) return 0
  for (const refundId of await reopenRsvpRefunds(tx, orderId, now)) {
    const dedupeKey = `rsvp-refund:${refundId}:${now}`
    await addToOutbox(tx, { kind: 'payment.rsvp_refund', payload: { refundId }, dedupeKey }, now)
  }
  const details = { amount, words }
  await writeAudit(tx, { actor: askedBy, action: 'rsvp-payment.refund_asked_again', subjectId: orderId, details }, now)
  return amount
}

const HOUR_MS = 3_600_000

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
    // A look that a newer one overtook may say so too: within the hour that is put right, and the letter is dropped.
    async fell(tx, id) {
      const now = clock.now()
      const dedupeKey = `rsvp-refund-failed:${id}:${Math.floor(now / HOUR_MS)}`
      await addToOutbox(
        tx,
        { kind: 'letter.rsvp_refund_failed', payload: { id }, dedupeKey, dueAt: now + HOUR_MS },
        now,
      )
    },
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
          await addToOutbox(tx, { kind: 'letter.rsvp_refund', payload: { id: refund.id } }, now)
        })
        wakeOutbox()
      },
    },
  }
}
