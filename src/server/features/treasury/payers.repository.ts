import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** The payer of a payment and its purpose. */
export interface Payer {
  name: string
  what: string
  receiptNumber: string
  /** null for a sponsor or a deleted account. */
  accountId: string | null
}

/** Payers by payment intent; payments that the site does not know are missing. */
export async function findPayers(db: Db, paymentIntentIds: readonly string[]): Promise<Map<string, Payer>> {
  if (paymentIntentIds.length === 0) return new Map()
  const dues = await db
    .selectFrom('payment')
    .leftJoin('account', 'account.id', 'payment.account_id')
    .leftJoin('membership_level', 'membership_level.key', 'payment.level_key')
    .select([
      'payment.payment_intent_id as intent',
      'payment.receipt_number as receiptNumber',
      'account.id as accountId',
      sql<string>`coalesce(account.first_name || ' ' || account.last_name, 'Deleted account')`.as('name'),
      sql<string>`coalesce(membership_level.name, payment.level_key)`.as('what'),
    ])
    .where('payment.payment_intent_id', 'in', paymentIntentIds)
    .execute()
  const sponsorships = await db
    .selectFrom('sponsorship')
    .select([
      'payment_reference as intent',
      'receipt_number as receiptNumber',
      sql<null>`null`.as('accountId'),
      sql<string>`case when company = '' then name else company end`.as('name'),
      sql<string>`'Sponsor, ' || tier_name`.as('what'),
    ])
    .where('payment_reference', 'in', paymentIntentIds)
    .execute()
  const seats = await db
    .selectFrom('rsvp_order')
    .select([
      'payment_reference as intent',
      'receipt_number as receiptNumber',
      sql<null>`null`.as('accountId'),
      'name',
      sql<string>`'Seats, ' || title`.as('what'),
    ])
    .where('payment_reference', 'in', paymentIntentIds)
    .execute()
  return new Map(
    [...dues, ...sponsorships, ...seats].map(({ intent, receiptNumber, ...paid }) => [
      intent ?? '',
      { ...paid, receiptNumber: receiptNumber ?? '' },
    ]),
  )
}
