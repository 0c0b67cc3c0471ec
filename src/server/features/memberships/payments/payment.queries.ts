import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { PaymentTable } from '#server/db/schema/membership-schema.ts'

export interface Payment {
  id: string
  accountId: string
  checkoutId: string | null
  /** The provider's invoice or payment intent. */
  reference: string
  /** The object of refunds and disputes; null when no card was charged. */
  paymentIntentId: string | null
  purpose: PaymentTable['purpose']
  levelKey: string
  amount: number
  currency: string
  receiptNumber: string
  /** End of the term it paid for; null for a lifetime membership. */
  periodEndsAt: number | null
  paidAt: number
  /** The coupon discount, if any. */
  discount?: Discount | null
  /** When the term it paid for took effect, if earlier than now; a correction keeps the original instant. */
  activatedAt?: number
  /** The voided payment it corrects. */
  replacesId?: string | null
}

export interface Discount {
  amount: number
  code: string
}

/** A stored payment with its refunds, dispute, credits and void state. */
export interface PaymentRecord extends Omit<Payment, 'activatedAt'> {
  recordedAt: number
  /** When the term it paid for took effect; null when it did not. */
  activatedAt: number | null
  receiptSentAt: number | null
  amountRefunded: number
  refundedAt: number | null
  dispute: PaymentTable['disputeState']
  discount: Discount | null
  replacesId: string | null
  /** Total refund requested from the provider, possibly not confirmed yet. */
  refundRequested: number
  /** Amount credited toward another membership. */
  credited: number
  voidedAt: number | null
  voidReason: string | null
}

/** Payments with the amount credited toward other memberships. */
export function payments(db: Db) {
  return db
    .selectFrom('payment')
    .selectAll('payment')
    .select((eb) =>
      eb
        .selectFrom('paymentCredit')
        .select(sql<number | string>`coalesce(sum(payment_credit.amount), 0)`.as('sum'))
        .whereRef('paymentCredit.paymentId', '=', 'payment.id')
        .where('takenAt', 'is not', null)
        .where('releasedAt', 'is', null)
        .as('credited'),
    )
}

export async function findPayment(db: Db, id: string): Promise<PaymentRecord | null> {
  const row = await payments(db).where('id', '=', id).executeTakeFirst()
  return row ? toPayment(row) : null
}

/** Newest first. */
export async function listPayments(db: Db, accountId: string): Promise<PaymentRecord[]> {
  const rows = await payments(db)
    .where('accountId', '=', accountId)
    .orderBy('paidAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toPayment)
}

/**
 * The booking date of a payment: when it was paid. A correction is booked when it was made, like the voiding of the payment it replaces, so
 * closed months do not change.
 */
export const BOOKING_DATE = sql<number>`case when payment.replaces_id is null then payment.paid_at else payment.recorded_at end`

export function toPayment(row: PaymentTable & { credited: number | string | null }): PaymentRecord {
  return {
    id: row.id,
    accountId: row.accountId,
    checkoutId: row.checkoutId,
    reference: row.reference,
    paymentIntentId: row.paymentIntentId,
    purpose: row.purpose,
    levelKey: row.levelKey,
    amount: row.amount,
    currency: row.currency,
    receiptNumber: row.receiptNumber,
    periodEndsAt: row.periodEndsAt,
    paidAt: row.paidAt,
    recordedAt: row.recordedAt,
    activatedAt: row.activatedAt,
    receiptSentAt: row.receiptSentAt,
    amountRefunded: row.amountRefunded,
    refundedAt: row.refundedAt,
    dispute: row.disputeState,
    discount: row.couponCode === null ? null : { amount: row.discount, code: row.couponCode },
    replacesId: row.replacesId,
    refundRequested: row.refundAsked,
    credited: Number(row.credited ?? 0),
    voidedAt: row.voidedAt,
    voidReason: row.voidReason,
  }
}
