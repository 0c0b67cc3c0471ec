import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { PaymentTable } from '#server/db/membership-schema.ts'
import { voidedReference } from './by-hand.rules.ts'

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
  /** When its membership began or went on, where that was before now: a correction keeps what was in force. */
  activatedAt?: number
  /** The canceled payment it corrects. */
  replacesId?: string | null
}

export interface Discount {
  amount: number
  code: string
}

/** A payment with what became of it. */
export interface PaymentRecord extends Omit<Payment, 'activatedAt'> {
  recordedAt: number
  /** When the membership it paid for began or went on; null when it did not. */
  activatedAt: number | null
  receiptSentAt: number | null
  amountRefunded: number
  refundedAt: number | null
  dispute: PaymentTable['dispute_state']
  discount: Discount | null
  replacesId: string | null
  /** What officers asked the provider to return; it may not have confirmed it yet. */
  refundAsked: number
  /** What of it lowered the price of another membership. */
  credited: number
  voidedAt: number | null
  voidReason: string | null
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

/** Payments with what of each was credited toward other memberships. */
function payments(db: Db) {
  return db
    .selectFrom('payment')
    .selectAll('payment')
    .select((eb) =>
      eb
        .selectFrom('payment_credit')
        .select(sql<number | string>`coalesce(sum(payment_credit.amount), 0)`.as('sum'))
        .whereRef('payment_credit.payment_id', '=', 'payment.id')
        .where('taken_at', 'is not', null)
        .where('released_at', 'is', null)
        .as('credited'),
    )
}

export async function findPayment(db: Db, id: string): Promise<PaymentRecord | null> {
  const row = await payments(db).where('id', '=', id).executeTakeFirst()
  return row ? toPayment(row) : null
}

export async function findPaymentByReference(db: Db, reference: string): Promise<PaymentRecord | null> {
  const row = await payments(db).where('reference', '=', reference).executeTakeFirst()
  return row ? toPayment(row) : null
}

export async function findPaymentByIntent(db: Db, paymentIntentId: string): Promise<PaymentRecord | null> {
  const row = await payments(db).where('payment_intent_id', '=', paymentIntentId).executeTakeFirst()
  return row ? toPayment(row) : null
}

/** Whoever's it is. */
export async function findPaymentByNumber(db: Db, receiptNumber: string): Promise<PaymentRecord | null> {
  const row = await payments(db).where('receipt_number', '=', receiptNumber).executeTakeFirst()
  return row ? toPayment(row) : null
}

/** Only the account's own. */
export async function findPaymentByReceipt(
  db: Db,
  accountId: string,
  receiptNumber: string,
): Promise<PaymentRecord | null> {
  const row = await payments(db)
    .where('account_id', '=', accountId)
    .where('receipt_number', '=', receiptNumber)
    .executeTakeFirst()
  return row ? toPayment(row) : null
}

/** Newest first. */
export async function listPayments(db: Db, accountId: string): Promise<PaymentRecord[]> {
  const rows = await payments(db)
    .where('account_id', '=', accountId)
    .orderBy('paid_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toPayment)
}

/**
 * The day a payment counts in the books: when it was paid. A correction counts on the day it was made, like the cancellation of what it replaces, so that
 * a month that is closed stays as it was.
 */
export const BOOKED_AT = sql<number>`case when payment.replaces_id is null then payment.paid_at else payment.recorded_at end`

/** Everybody's in a span of the books, oldest first. */
export async function listPaymentsBetween(db: Db, from: number, to: number): Promise<PaymentRecord[]> {
  const rows = await payments(db).where(BOOKED_AT, '>=', from).where(BOOKED_AT, '<', to).orderBy(BOOKED_AT).execute()
  return rows.map(toPayment)
}

/** Those whose record was canceled in a span, oldest first. */
export async function listVoidedBetween(db: Db, from: number, to: number): Promise<PaymentRecord[]> {
  const rows = await payments(db)
    .where('voided_at', '>=', from)
    .where('voided_at', '<', to)
    .orderBy('voided_at')
    .execute()
  return rows.map(toPayment)
}

/** The payment that corrects a canceled one; null when none does. */
export async function findReplacement(db: Db, paymentId: string): Promise<PaymentRecord | null> {
  const row = await payments(db).where('replaces_id', '=', paymentId).executeTakeFirst()
  return row ? toPayment(row) : null
}

/** Cancels the record of a payment and gives its reference free, so that the same check can be recorded correctly. False when it was canceled before. */
export async function voidPayment(
  db: Db,
  { id, reference }: Pick<PaymentRecord, 'id' | 'reference'>,
  { by, reason, now }: { by: string; reason: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('payment')
    .set({ voided_at: now, voided_by: by, void_reason: reason, reference: voidedReference(id, reference) })
    .where('id', '=', id)
    .where('voided_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Notes how much the provider was asked to return in all, before it is asked. */
export async function setRefundAsked(db: Db, id: string, amount: number): Promise<void> {
  await db.updateTable('payment').set({ refund_asked: amount }).where('id', '=', id).execute()
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

function toPayment(row: PaymentTable & { credited: number | string | null }): PaymentRecord {
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
    replacesId: row.replaces_id,
    refundAsked: row.refund_asked,
    credited: Number(row.credited ?? 0),
    voidedAt: row.voided_at,
    voidReason: row.void_reason,
  }
}
