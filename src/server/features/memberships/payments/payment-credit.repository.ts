import type { Db, Tx } from '#server/db/database.ts'
import type { CreditAllocation } from '../membership-price.rules.ts'
import { availableAmount } from './refund.rules.ts'
import { findPayment } from './payment.queries.ts'

/** Records the payments an order's credit comes from. Call in the transaction that reserves the order. The credit counts once it is taken. */
export async function reserveCredit(
  tx: Tx,
  checkoutId: string,
  parts: readonly CreditAllocation[],
  now: number,
): Promise<void> {
  if (parts.length === 0) return
  await tx
    .insertInto('paymentCredit')
    .values(
      parts.map(({ paymentId, amount }) => ({
        paymentId,
        checkoutId,
        amount,
        offeredAt: now,
        takenAt: null,
        releasedAt: null,
      })),
    )
    .execute()
}

/**
 * Takes an order's credit from its payments, in a transaction that holds the account's lock. False, and nothing is taken, when a payment was refunded, disputed,
 * canceled or credited elsewhere since the order was opened.
 */
export async function takeCredit(tx: Tx, order: { id: string; credit: number }, now: number): Promise<boolean> {
  const parts = await tx
    .selectFrom('paymentCredit')
    .select(['paymentId', 'amount'])
    .where('checkoutId', '=', order.id)
    .where('takenAt', 'is', null)
    .execute()
  if (parts.reduce((sum, { amount }) => sum + amount, 0) !== order.credit) return false
  for (const { paymentId, amount } of parts) {
    const payment = await findPayment(tx, paymentId)
    if (!payment || availableAmount(payment) < amount) return false
  }
  await tx.updateTable('paymentCredit').set({ takenAt: now }).where('checkoutId', '=', order.id).execute()
  return true
}

/** Releases an order's credit when its payment was fully refunded; null takes it again after the refund failed. */
export async function setCreditReleasedAt(tx: Tx, checkoutId: string, releasedAt: number | null): Promise<void> {
  await tx
    .updateTable('paymentCredit')
    .set({ releasedAt })
    .where('checkoutId', '=', checkoutId)
    .where('takenAt', 'is not', null)
    .execute()
}

/** Moves credits from a voided payment to its correction. */
export async function moveCredits(tx: Tx, from: string, to: string): Promise<void> {
  await tx.updateTable('paymentCredit').set({ paymentId: to }).where('paymentId', '=', from).execute()
}

/** Deletes old credits of checkouts that were never paid. */
export async function deleteUnusedCredits(db: Db, before: number): Promise<void> {
  await db.deleteFrom('paymentCredit').where('takenAt', 'is', null).where('offeredAt', '<', before).execute()
}
