import type { Db } from '#server/db/database.ts'
import { type Payment } from './payment.queries.ts'

/** False when this payment is already recorded. A recorded payment takes effect immediately. */
export async function recordPayment(db: Db, payment: Payment, now: number): Promise<boolean> {
  const row = await db
    .insertInto('payment')
    .values({
      id: payment.id,
      account_id: payment.accountId,
      checkout_id: payment.checkoutId,
      reference: payment.reference,
      payment_intent_id: payment.paymentIntentId,
      purpose: payment.purpose,
      level_key: payment.levelKey,
      amount: payment.amount,
      currency: payment.currency,
      receipt_number: payment.receiptNumber,
      period_ends_at: payment.periodEndsAt,
      paid_at: payment.paidAt,
      recorded_at: now,
      activated_at: payment.activatedAt ?? now,
      receipt_sent_at: null,
      amount_refunded: 0,
      refunded_at: null,
      dispute_state: null,
      discount: payment.discount?.amount ?? 0,
      coupon_code: payment.discount?.code ?? null,
      refund_asked: 0,
      voided_at: null,
      voided_by: null,
      void_reason: null,
      replaces_id: payment.replacesId ?? null,
    })
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Stores the total refund to request from the provider, before the request. */
export async function setRefundRequested(db: Db, id: string, amount: number): Promise<void> {
  await db.updateTable('payment').set({ refund_asked: amount }).where('id', '=', id).execute()
}

export async function markReceiptSent(db: Db, id: string, at: number): Promise<void> {
  await db.updateTable('payment').set({ receipt_sent_at: at }).where('id', '=', id).execute()
}
