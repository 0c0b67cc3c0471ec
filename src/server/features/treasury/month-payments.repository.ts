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
  return dues(db).where('payment.voidedAt', '>=', from).where('payment.voidedAt', '<', to).execute()
}

function dues(db: Db) {
  return db
    .selectFrom('payment')
    .leftJoin('payment as replaced', 'replaced.id', 'payment.replacesId')
    .leftJoin('account', 'account.id', 'payment.accountId')
    .leftJoin('membershipLevel', 'membershipLevel.key', 'payment.levelKey')
    .select([
      'payment.id',
      'payment.reference',
      BOOKING_DATE.as('bookedAt'),
      'payment.paidAt',
      'payment.voidedAt',
      'payment.voidReason',
      'replaced.receiptNumber as replaces',
      'payment.amount',
      'payment.amountRefunded',
      'payment.currency',
      'payment.disputeState as dispute',
      'payment.receiptNumber',
      'payment.discount',
      'payment.couponCode',
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
    .selectFrom('rsvpOrder')
    .select([
      'id',
      'name',
      'email',
      'title as what',
      'amount',
      'amountRefunded',
      'currency',
      'disputeState as dispute',
      sql<string>`coalesce(receipt_number, '')`.as('receiptNumber'),
      'isSeated',
      sql<string | number>`paid_at`.as('paidAt'),
      requested.as('asked'),
      made.as('made'),
    ])
    .where('state', '=', 'paid')
    .where('paidAt', '>=', from)
    .where('paidAt', '<', to)
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
    .select(['id', 'company', 'name', 'email', 'amount', 'currency', 'tierName', 'receiptNumber', 'paidAt'])
    .select(['amountRefunded', 'disputeState'])
    .where('state', '=', 'paid')
    .where('paidAt', '>=', from)
    .where('paidAt', '<', to)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.company || row.name,
    email: row.email,
    what: row.tierName,
    amount: row.amount,
    amountRefunded: row.amountRefunded,
    dispute: row.disputeState,
    currency: row.currency,
    receiptNumber: row.receiptNumber ?? '',
    paidAt: row.paidAt ?? from,
  }))
}
