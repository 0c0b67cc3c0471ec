import type { Db } from '#server/db/database.ts'
import { isManualReference } from '#server/features/orders/payments/manual-reference.queries.ts'
import { BOOKING_DATE, type PaymentRecord, payments } from './payment.queries.ts'

/** A payment outside the card provider that is recorded under this reference, and not voided. */
export async function findPaymentByReference(db: Db, reference: string): Promise<PaymentRecord | null> {
  const row = await payments(db).where(isManualReference('reference', reference)).executeTakeFirst()
  return row ?? null
}

export async function findPaymentByIntent(db: Db, paymentIntentId: string): Promise<PaymentRecord | null> {
  const row = await payments(db).where('paymentIntentId', '=', paymentIntentId).executeTakeFirst()
  return row ?? null
}

/** Payment intents with an open dispute. */
export async function listDisputedPayments(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('payment')
    .select('paymentIntentId')
    .where('disputeState', '=', 'open')
    .where('paymentIntentId', 'is not', null)
    .execute()
  return rows.map(({ paymentIntentId }) => paymentIntentId ?? '')
}

/** Of any account. */
export async function findPaymentByNumber(db: Db, receiptNumber: string): Promise<PaymentRecord | null> {
  const row = await payments(db).where('receiptNumber', '=', receiptNumber).executeTakeFirst()
  return row ?? null
}

/** Only the account's own. */
export async function findPaymentByReceipt(
  db: Db,
  accountId: string,
  receiptNumber: string,
): Promise<PaymentRecord | null> {
  const row = await payments(db)
    .where('accountId', '=', accountId)
    .where('receiptNumber', '=', receiptNumber)
    .executeTakeFirst()
  return row ?? null
}

/** Payments of all accounts booked in a period, oldest first. */
export async function listPaymentsBetween(db: Db, from: number, to: number): Promise<PaymentRecord[]> {
  return payments(db).where(BOOKING_DATE, '>=', from).where(BOOKING_DATE, '<', to).orderBy(BOOKING_DATE).execute()
}

/** Payments voided in a period, oldest first. */
export async function listVoidedBetween(db: Db, from: number, to: number): Promise<PaymentRecord[]> {
  return payments(db).where('voidedAt', '>=', from).where('voidedAt', '<', to).orderBy('voidedAt').execute()
}

/** The correction of a voided payment, or null. */
export async function findReplacement(db: Db, paymentId: string): Promise<PaymentRecord | null> {
  const row = await payments(db).where('replacesId', '=', paymentId).executeTakeFirst()
  return row ?? null
}
