import type { Db } from '#server/db/database.ts'
import type { PaymentTable } from '#server/db/membership-schema.ts'

export interface Payment {
  id: string
  accountId: string
  checkoutId: string | null
  /** The provider's invoice or payment intent. */
  reference: string
  /** What refunds and disputes are about; null when nothing was charged at the provider. */
  paymentIntentId: string | null
  purpose: PaymentTable['purpose']
  levelKey: string
  amount: number
  currency: string
  receiptNumber: string
  /** End of what it paid for; null for lifetime. */
  periodEndsAt: number | null
  paidAt: number
  /** What a code took off; left out without one. */
  discount?: Discount | null
}

export interface Discount {
  amount: number
  code: string
}

/** A payment with what became of it. */
export interface PaymentRecord extends Payment {
  recordedAt: number
  /** When the membership it paid for began or went on; null when it did not. */
  activatedAt: number | null
  receiptSentAt: number | null
  amountRefunded: number
  refundedAt: number | null
  dispute: PaymentTable['dispute_state']
  discount: Discount | null
}

/** False when this payment is recorded already. What is recorded is in force at once. */
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
      activated_at: now,
      receipt_sent_at: null,
      amount_refunded: 0,
      refunded_at: null,
      dispute_state: null,
      discount: payment.discount?.amount ?? 0,
      coupon_code: payment.discount?.code ?? null,
    })
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findPayment(db: Db, id: string): Promise<PaymentRecord | null> {
  const row = await db.selectFrom('payment').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toPayment(row) : null
}

export async function findPaymentByReference(db: Db, reference: string): Promise<PaymentRecord | null> {
  const row = await db.selectFrom('payment').selectAll().where('reference', '=', reference).executeTakeFirst()
  return row ? toPayment(row) : null
}

export async function findPaymentByIntent(db: Db, paymentIntentId: string): Promise<PaymentRecord | null> {
  const row = await db
    .selectFrom('payment')
    .selectAll()
    .where('payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst()
  return row ? toPayment(row) : null
}

/** Only the account's own. */
export async function findPaymentByReceipt(
  db: Db,
  accountId: string,
  receiptNumber: string,
): Promise<PaymentRecord | null> {
  const row = await db
    .selectFrom('payment')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('receipt_number', '=', receiptNumber)
    .executeTakeFirst()
  return row ? toPayment(row) : null
}

/** Newest first. */
export async function listPayments(db: Db, accountId: string): Promise<PaymentRecord[]> {
  const rows = await db
    .selectFrom('payment')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('paid_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toPayment)
}

/** Everybody's in a span, oldest first. */
export async function listPaymentsBetween(db: Db, from: number, to: number): Promise<PaymentRecord[]> {
  const rows = await db
    .selectFrom('payment')
    .selectAll()
    .where('paid_at', '>=', from)
    .where('paid_at', '<', to)
    .orderBy('paid_at')
    .execute()
  return rows.map(toPayment)
}

export async function markReceiptSent(db: Db, id: string, at: number): Promise<void> {
  await db.updateTable('payment').set({ receipt_sent_at: at }).where('id', '=', id).execute()
}

/** Writes down what came back of it, or is disputed. */
export async function updateReturned(
  db: Db,
  id: string,
  { amountRefunded, refundedAt, dispute }: Pick<PaymentRecord, 'amountRefunded' | 'refundedAt' | 'dispute'>,
): Promise<void> {
  await db
    .updateTable('payment')
    .set({ amount_refunded: amountRefunded, refunded_at: refundedAt, dispute_state: dispute })
    .where('id', '=', id)
    .execute()
}

/** 'R-2026-7K3M9Q': the year of payment and the tail of the payment's id, which is random. */
export function receiptNumber(paymentId: string, paidAt: number, yearOf: (instant: number) => string): string {
  return `R-${yearOf(paidAt)}-${paymentId.slice(-8).toUpperCase()}`
}

function toPayment(row: PaymentTable): PaymentRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    checkoutId: row.checkout_id,
    reference: row.reference,
    paymentIntentId: row.payment_intent_id,
    purpose: row.purpose,
    levelKey: row.level_key,
    amount: row.amount,
    currency: row.currency,
    receiptNumber: row.receipt_number,
    periodEndsAt: row.period_ends_at,
    paidAt: row.paid_at,
    recordedAt: row.recorded_at,
    activatedAt: row.activated_at,
    receiptSentAt: row.receipt_sent_at,
    amountRefunded: row.amount_refunded,
    refundedAt: row.refunded_at,
    dispute: row.dispute_state,
    discount: row.coupon_code === null ? null : { amount: row.discount, code: row.coupon_code },
  }
}
