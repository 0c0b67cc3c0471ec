import type { Db } from '#server/db/database.ts'
import type { PaymentMethod } from '#server/db/schema/money-schema.ts'
import { addLedgerEntry, addReturnedEntry } from '#server/features/orders/payments/ledger.commands.ts'
import { methodOf } from '#server/features/orders/payments/manual-payment.rules.ts'
import { bookingTime } from '#server/features/orders/order-payment.commands.ts'
import { voidedReference } from '#server/features/orders/payments/manual-payment.rules.ts'
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
  if (!row) return false
  // A correction counts when it was made, like the voiding of the payment it replaces, so closed months do not change.
  const at = payment.replacesId ? now : payment.paidAt
  await addLedgerEntry(db, { ...ledgerPayment(payment), type: 'payment', amount: payment.amount, at }, now)
  return true
}

function ledgerPayment({ id, currency, reference, amount }: Pick<Payment, 'id' | 'currency' | 'reference' | 'amount'>) {
  return { kind: 'dues', paymentId: id, currency, method: methodOf(reference, amount) } as const
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
  payment: PaymentRecord,
  { by, reason, now }: { by: string; reason: string; now: number },
): Promise<boolean> {
  const { id, reference } = payment
  const { numUpdatedRows } = await db
    .updateTable('payment')
    .set({ voidedAt: now, voidedBy: by, voidReason: reason, reference: voidedReference(id, reference) })
    .where('id', '=', id)
    .where('voidedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  const change = { before: payment, after: { ...payment, voidedAt: now }, at: now }
  await addReturnedEntry(db, ledgerPayment(payment), change, now)
  return true
}

/** Stores refunds and the dispute state, as the provider reports them. */
export async function updateRefundState(
  db: Db,
  before: PaymentRecord,
  { amountRefunded, refundedAt, dispute }: Pick<PaymentRecord, 'amountRefunded' | 'refundedAt' | 'dispute'>,
  now: number,
  method?: PaymentMethod,
): Promise<void> {
  await db
    .updateTable('payment')
    .set({ amountRefunded, refundedAt, disputeState: dispute })
    .where('id', '=', before.id)
    .execute()
  const after = { ...before, amountRefunded, dispute }
  const at = bookingTime({ before, after, refundedAt, now })
  await addReturnedEntry(db, { ...ledgerPayment(before), ...(method && { method }) }, { before, after, at }, now)
}
