import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { failedRefunds } from '#server/features/rsvps/orders/rsvp-price.rules.ts'
import { BOOKING_DATE } from '#server/features/memberships/payments/payment.queries.ts'

/** Dues paid in a period, with the payer; includes deleted accounts. */
export function findDuesBetween(db: Db, from: number, to: number) {
  return dues(db).where(BOOKING_DATE, '>=', from).where(BOOKING_DATE, '<', to).execute()
}

/** Checks and cash whose record was canceled in a period. */
export function findVoidedBetween(db: Db, from: number, to: number) {
  return dues(db).where('payment.voided_at', '>=', from).where('payment.voided_at', '<', to).execute()
}

function dues(db: Db) {
  return db
    .selectFrom('payment')
    .leftJoin('payment as replaced', 'replaced.id', 'payment.replaces_id')
    .leftJoin('account', 'account.id', 'payment.account_id')
    .leftJoin('membership_level', 'membership_level.key', 'payment.level_key')
    .select([
      'payment.id',
      'payment.reference',
      BOOKING_DATE.as('bookedAt'),
      'payment.paid_at as paidAt',
      'payment.voided_at as voidedAt',
      'payment.void_reason as voidReason',
      'replaced.receipt_number as replaces',
      'payment.amount',
      'payment.amount_refunded as amountRefunded',
      'payment.currency',
      'payment.dispute_state as dispute',
      'payment.receipt_number as receiptNumber',
      'payment.discount',
      'payment.coupon_code as couponCode',
      'account.id as accountId',
      sql<string>`coalesce(account.first_name || ' ' || account.last_name, 'Deleted account')`.as('name'),
      sql<string>`coalesce(account.email, '')`.as('email'),
      sql<string>`coalesce(membership_level.name, payment.level_key)`.as('what'),
    ])
}

/** Event seats paid in a period. */
export async function findSeatsBetween(db: Db, from: number, to: number) {
  const requested = sql<
    string | number
  >`(select coalesce(sum(amount), 0) from rsvp_refund where order_id = rsvp_order.id)`
  const made = sql<
    string | number
  >`(select coalesce(sum(amount), 0) from rsvp_refund where order_id = rsvp_order.id and done_at is not null)`
  const rows = await db
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
      'is_seated as isSeated',
      sql<string | number>`paid_at`.as('paidAt'),
      requested.as('asked'),
      made.as('made'),
    ])
    .where('state', '=', 'paid')
    .where('paid_at', '>=', from)
    .where('paid_at', '<', to)
    .execute()
  return rows.map(({ isSeated, asked: requestedSum, made: madeSum, ...row }) => {
    const { amount, amountRefunded, dispute } = row
    const left = dispute === 'lost' ? 0 : amount - Math.max(Number(requestedSum), amountRefunded)
    const isFailed = failedRefunds({ amountRefunded, dispute, made: Number(madeSum) }) > 0
    return { ...row, refundable: isFailed || (isSeated === 1 && left > 0) }
  })
}

/** Sponsorships paid in a period. */
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
