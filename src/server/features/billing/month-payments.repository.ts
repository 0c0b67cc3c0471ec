import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** Dues paid in a span, with who paid; also of accounts that are gone. */
export async function findDuesBetween(db: Db, from: number, to: number) {
  return db
    .selectFrom('payment')
    .leftJoin('account', 'account.id', 'payment.account_id')
    .leftJoin('membership_level', 'membership_level.key', 'payment.level_key')
    .select([
      'payment.id',
      'payment.reference',
      'payment.paid_at as paidAt',
      'payment.amount',
      'payment.amount_refunded as amountRefunded',
      'payment.currency',
      'payment.dispute_state as dispute',
      'payment.receipt_number as receiptNumber',
      'payment.discount',
      'payment.coupon_code as couponCode',
      'account.id as accountId',
      sql<string>`coalesce(account.first_name || ' ' || account.last_name, 'An account that is gone')`.as('name'),
      sql<string>`coalesce(account.email, '')`.as('email'),
      sql<string>`coalesce(membership_level.name, payment.level_key)`.as('what'),
    ])
    .where('paid_at', '>=', from)
    .where('paid_at', '<', to)
    .execute()
}

/** Seats at events paid in a span. */
export async function findSeatsBetween(db: Db, from: number, to: number) {
  return db
    .selectFrom('rsvp_order')
    .select([
      'id',
      'name',
      'email',
      'title as what',
      'amount',
      'amount_refunded as amountRefunded',
      'currency',
      'dispute_state as dispute',
      sql<string>`coalesce(receipt_number, '')`.as('receiptNumber'),
      sql<string | number>`paid_at`.as('paidAt'),
    ])
    .where('state', '=', 'paid')
    .where('paid_at', '>=', from)
    .where('paid_at', '<', to)
    .execute()
}

/** Sponsorships paid in a span. */
export async function findSponsorshipsBetween(db: Db, from: number, to: number) {
  const rows = await db
    .selectFrom('sponsorship')
    .select(['id', 'company', 'name', 'email', 'amount', 'currency', 'tier_name', 'receipt_number', 'paid_at'])
    .select(['amount_refunded', 'dispute_state'])
    .where('state', '=', 'paid')
    .where('paid_at', '>=', from)
    .where('paid_at', '<', to)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.company || row.name,
    email: row.email,
    what: row.tier_name,
    amount: row.amount,
    amountRefunded: row.amount_refunded,
    dispute: row.dispute_state,
    currency: row.currency,
    receiptNumber: row.receipt_number ?? '',
    paidAt: row.paid_at ?? from,
  }))
}
