import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { IS_ON_ITS_WAY } from '#server/features/orders/payments/refund.queries.ts'
import type { PaymentTable } from '#server/db/schema/membership-schema.ts'

/** A payment to record. */
export type Payment = Pick<
  PaymentTable,
  | 'id'
  | 'accountId'
  | 'checkoutId'
  | 'reference'
  | 'paymentIntentId'
  | 'purpose'
  | 'levelKey'
  | 'amount'
  | 'currency'
  | 'receiptNumber'
  | 'periodEndsAt'
  | 'paidAt'
> & {
  /** The coupon discount, if any. */
  discount?: { amount: number; code: string } | null
  /** When the term it paid for took effect, if earlier than now; a correction keeps the original instant. */
  activatedAt?: number
  /** If its receipt was sent before it is recorded here. */
  receiptSentAt?: number
  replacesId?: string | null
}

/** A stored payment, with the amount credited toward another membership. */
export type PaymentRecord = Omit<PaymentTable, 'disputeState'> & {
  dispute: PaymentTable['disputeState']
  credited: number
  /** Cents of refunds that were requested and are neither made nor refused. */
  refunding: number
}

/** Payments with the amount credited toward other memberships. */
export function payments(db: Db) {
  return db
    .selectFrom('payment')
    .selectAll('payment')
    .select('disputeState as dispute')
    .select((eb) =>
      eb
        .selectFrom('paymentCredit')
        .select(sql<number>`cast(coalesce(sum(payment_credit.amount), 0) as bigint)`.as('sum'))
        .whereRef('paymentCredit.paymentId', '=', 'payment.id')
        .where('takenAt', 'is not', null)
        .where('releasedAt', 'is', null)
        .$asScalar()
        .$notNull()
        .as('credited'),
    )
    .select((eb) =>
      eb
        .selectFrom('refund')
        .select(sql<number>`cast(coalesce(sum(refund.amount), 0) as bigint)`.as('sum'))
        .whereRef('refund.paymentId', '=', 'payment.id')
        .where(IS_ON_ITS_WAY)
        .$asScalar()
        .$notNull()
        .as('refunding'),
    )
}

export async function findPayment(db: Db, id: string): Promise<PaymentRecord | null> {
  const row = await payments(db).where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Newest first. */
export async function listPayments(db: Db, accountId: string): Promise<PaymentRecord[]> {
  return payments(db).where('accountId', '=', accountId).orderBy('paidAt', 'desc').orderBy('id', 'desc').execute()
}

/**
 * The booking date of a payment: when it was paid. A correction is booked when it was made, like the voiding of the payment it replaces, so
 * closed months do not change.
 */
export const BOOKING_DATE = sql<number>`case when payment.replaces_id is null then payment.paid_at else payment.recorded_at end`
