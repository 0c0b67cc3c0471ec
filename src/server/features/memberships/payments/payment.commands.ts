import type { Db } from '#server/db/database.ts'
import { voidedReference } from './manual-payment.rules.ts'
import { type Payment, type PaymentRecord } from './payment.queries.ts'

/** False when this payment is already recorded. A recorded payment takes effect immediately. */
export async function recordPayment(db: Db, payment: Payment, now: number): Promise<boolean> {
  const row = await db
    .insertInto('payment')
    .values({
      ...payment,
      recordedAt: now,
      activatedAt: payment.activatedAt ?? now,
      receiptSentAt: payment.receiptSentAt ?? null,
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

/** Voids a payment and frees its reference, so the same check can be recorded correctly. False when it was already voided. */
export async function voidPayment(
  db: Db,
  { id, reference }: Pick<PaymentRecord, 'id' | 'reference'>,
  { by, reason, now }: { by: string; reason: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('payment')
    .set({ voidedAt: now, voidedBy: by, voidReason: reason, reference: voidedReference(id, reference) })
    .where('id', '=', id)
    .where('voidedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores refunds and the dispute state. */
export async function updateRefundState(
  db: Db,
  id: string,
  { amountRefunded, refundedAt, dispute }: Pick<PaymentRecord, 'amountRefunded' | 'refundedAt' | 'dispute'>,
): Promise<void> {
  await db
    .updateTable('payment')
    .set({ amountRefunded, refundedAt, disputeState: dispute })
    .where('id', '=', id)
    .execute()
}
