import type { ManualMethod } from '#contract/console/money/hand-payments.ts'
import type { Tx } from '#server/db/database.ts'
import { Problem } from '#server/lib/problem.ts'
import type { OrderKind } from '#server/features/orders/order-kind.registry.ts'
import { insertRefund } from '#server/features/orders/payments/refund.commands.ts'
import { IS_ON_ITS_WAY } from '#server/features/orders/payments/refund.queries.ts'
import { findPayment } from '#server/features/memberships/payments/payment.queries.ts'
import type { ReceivedPayment } from './payment-refund.rules.ts'

interface RefundByHand {
  /** The officer's account. */
  by: string
  amount: number
  reason: string
  method: ManualMethod
  reference: string | undefined
  now: number
}

/** Records that a payment by hand was returned by hand, and what follows from it. Refunds that were due count as made. Returns null: no card is involved. */
export async function recordRefundByHand(
  tx: Tx,
  payment: ReceivedPayment,
  { by, amount, reason, method, reference, now }: RefundByHand,
  kinds: readonly OrderKind[],
): Promise<null> {
  const { id: paymentId, kind } = payment
  const rest = await markDueMade(tx, paymentId, { amount, method, reference, now })
  const made = {
    kind,
    paymentId,
    reason: 'officer',
    note: reason,
    askedBy: by,
    method,
    reference: reference ?? null,
    doneAt: now,
  } as const
  if (rest > 0) await insertRefund(tx, { ...made, amount: rest }, now)
  const { payments } = kinds.find((one) => one.payments.kind === kind) ?? {}
  const known = kind === 'dues' ? await findPayment(tx, paymentId) : payment
  if (!payments || !known) throw new Problem('NOT_FOUND')
  const state = { amountRefunded: payment.amountRefunded + amount, refundedAt: now, dispute: payment.dispute }
  await payments.update(tx, known, state, now, { actor: by, method })
  return null
}

/** Marks refunds that are due as made, oldest first; one that is larger is split. Returns what is left of the amount. */
async function markDueMade(
  tx: Tx,
  paymentId: string,
  { amount, method, reference, now }: Pick<RefundByHand, 'amount' | 'method' | 'reference' | 'now'>,
): Promise<number> {
  const due = await tx
    .selectFrom('refund')
    .selectAll()
    .where('paymentId', '=', paymentId)
    .where(IS_ON_ITS_WAY)
    .orderBy('askedAt')
    .execute()
  let left = amount
  for (const refund of due) {
    if (left === 0) break
    const part = Math.min(left, refund.amount)
    left -= part
    const how = { method, reference: reference ?? null }
    if (part === refund.amount) {
      await tx
        .updateTable('refund')
        .set({ ...how, doneAt: now })
        .where('id', '=', refund.id)
        .execute()
      continue
    }
    await tx
      .updateTable('refund')
      .set({ amount: refund.amount - part })
      .where('id', '=', refund.id)
      .execute()
    await insertRefund(tx, { ...refund, ...how, amount: part, doneAt: now }, now)
  }
  return left
}
