import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { CreditAllocation } from '../membership-price.rules.ts'

/** A credit with the receipts of both payments. */
export interface Credit extends CreditAllocation {
  /** The receipt of the payment it comes from. */
  from: string
  /** The payment whose price it lowered, and its receipt. */
  toPaymentId: string
  to: string
}

/** Active credits between an account's payments. */
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
