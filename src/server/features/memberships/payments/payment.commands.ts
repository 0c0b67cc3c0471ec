import type { Db } from '#server/db/database.ts'
import { type Payment } from './payment.queries.ts'

/** False when this payment is already recorded. A recorded payment takes effect immediately. */
export async function recordPayment(db: Db, payment: Payment, now: number): Promise<boolean> {
  const row = await db
    .insertInto('payment')
    .values({
      ...payment,
      recordedAt: now,
      activatedAt: payment.activatedAt ?? now,
      receiptSentAt: null,
      amountRefunded: 0,
      refundedAt: null,
      disputeState: null,
      discount: payment.discount?.amount ?? 0,
      couponCode: payment.discount?.code ?? null,
      refundAsked: 0,
      voidedAt: null,
      voidedBy: null,
      voidReason: null,
      replacesId: payment.replacesId ?? null,
    })
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Stores the total refund to request from the provider, before the request. */
export async function setRefundRequested(db: Db, id: string, amount: number): Promise<void> {
  await db.updateTable('payment').set({ refundAsked: amount }).where('id', '=', id).execute()
}

export async function markReceiptSent(db: Db, id: string, at: number): Promise<void> {
  await db.updateTable('payment').set({ receiptSentAt: at }).where('id', '=', id).execute()
}
