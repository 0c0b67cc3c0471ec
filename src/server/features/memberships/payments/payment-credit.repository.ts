import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import type { CreditPart } from './offer.rules.ts'
import { unspentOf } from './payment-return.rules.ts'
import { findPayment } from './payment.repository.ts'

/** Writes down from which payments an order's credit comes; call in the transaction that reserves the order. It counts once it is taken. */
export async function offerCredit(
  tx: Tx,
  checkoutId: string,
  parts: readonly CreditPart[],
  now: number,
): Promise<void> {
  if (parts.length === 0) return
  await tx
    .insertInto('payment_credit')
    .values(
      parts.map(({ paymentId, amount }) => ({
        payment_id: paymentId,
        checkout_id: checkoutId,
        amount,
        offered_at: now,
        taken_at: null,
        released_at: null,
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
    .selectFrom('payment_credit')
    .select(['payment_id', 'amount'])
    .where('checkout_id', '=', order.id)
    .where('taken_at', 'is', null)
    .execute()
  if (parts.reduce((sum, { amount }) => sum + amount, 0) !== order.credit) return false
  for (const { payment_id: paymentId, amount } of parts) {
    const payment = await findPayment(tx, paymentId)
    if (!payment || unspentOf(payment) < amount) return false
  }
  await tx.updateTable('payment_credit').set({ taken_at: now }).where('checkout_id', '=', order.id).execute()
  return true
}

/** The payment of an order came back whole, or is ours again: so is what lowered its price. */
export async function setCreditReleased(tx: Tx, checkoutId: string, releasedAt: number | null): Promise<void> {
  await tx
    .updateTable('payment_credit')
    .set({ released_at: releasedAt })
    .where('checkout_id', '=', checkoutId)
    .where('taken_at', 'is not', null)
    .execute()
}

/** A corrected payment stands for the canceled one. */
export async function moveCredits(tx: Tx, from: string, to: string): Promise<void> {
  await tx.updateTable('payment_credit').set({ payment_id: to }).where('payment_id', '=', from).execute()
}

/** Closes the pages at which somebody could still pay a price that is lowered by this payment; what was paid there meanwhile is settled. */
export async function closeCreditedPages(tx: Tx, paymentId: string, now: number): Promise<void> {
  const rows = await tx
    .selectFrom('payment_credit')
    .innerJoin('checkout', 'checkout.id', 'payment_credit.checkout_id')
    .select('checkout.id')
    .where('payment_id', '=', paymentId)
    .where('taken_at', 'is', null)
    .where('checkout.state', '=', 'open')
    .execute()
  for (const { id } of rows) {
    await addToOutbox(tx, { kind: 'payment.expire_checkout', payload: { checkoutId: id } }, now)
  }
}

/** A credit as the receipts of both payments name it. */
export interface Credit extends CreditPart {
  /** The receipt of the payment it comes from. */
  from: string
  /** The payment whose price it lowered, and its receipt. */
  toPaymentId: string
  to: string
}

/** Credits from and to one person's payments that are in force. */
export async function listCredits(db: Db, accountId: string): Promise<Credit[]> {
  const { rows } = await sql<Credit>`
    select credit.payment_id as "paymentId", credit.amount, source.receipt_number as "from",
      target.id as "toPaymentId", target.receipt_number as "to"
    from payment_credit credit
    join payment source on source.id = credit.payment_id
    join payment target on target.checkout_id = credit.checkout_id
    where source.account_id = ${accountId} and credit.taken_at is not null and credit.released_at is null
    order by credit.taken_at, credit.payment_id`.execute(db)
  return rows
}

/** Credits that were offered and not taken: their pages have ended long ago. */
export async function forgetUntakenCredits(db: Db, before: number): Promise<void> {
  await db.deleteFrom('payment_credit').where('taken_at', 'is', null).where('offered_at', '<', before).execute()
}
