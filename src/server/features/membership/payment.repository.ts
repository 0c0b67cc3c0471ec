import type { Db } from '#server/db/database.ts'

export interface Payment {
  id: string
  accountId: string
  checkoutId: string | null
  /** The provider's invoice or payment intent. */
  reference: string
  levelKey: string
  amount: number
  currency: string
  receiptNumber: string
  paidAt: number
}

/** False when this payment is recorded already. */
export async function recordPayment(db: Db, payment: Payment, now: number): Promise<boolean> {
  const row = await db
    .insertInto('payment')
    .values({
      id: payment.id,
      account_id: payment.accountId,
      checkout_id: payment.checkoutId,
      reference: payment.reference,
      level_key: payment.levelKey,
      amount: payment.amount,
      currency: payment.currency,
      receipt_number: payment.receiptNumber,
      paid_at: payment.paidAt,
      recorded_at: now,
    })
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findPayment(db: Db, id: string): Promise<Payment | null> {
  const row = await db.selectFrom('payment').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    accountId: row.account_id,
    checkoutId: row.checkout_id,
    reference: row.reference,
    levelKey: row.level_key,
    amount: row.amount,
    currency: row.currency,
    receiptNumber: row.receipt_number,
    paidAt: row.paid_at,
  }
}

/** 'R-2026-7K3M9Q': the year of payment and the tail of the payment's id, which is random. */
export function receiptNumber(paymentId: string, paidAt: number, yearOf: (instant: number) => string): string {
  return `R-${yearOf(paidAt)}-${paymentId.slice(-8).toUpperCase()}`
}
