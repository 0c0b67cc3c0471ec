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
    .leftJoin('account', 'account.id', 'payment.accountId')
    .leftJoin('membershipLevel', 'membershipLevel.key', 'payment.levelKey')
    .select([
      'payment.paymentIntentId as intent',
      'payment.receiptNumber',
      'account.id as accountId',
      sql<string>`coalesce(account.first_name || ' ' || account.last_name, 'Deleted account')`.as('name'),
      sql<string>`coalesce(membership_level.name, payment.level_key)`.as('what'),
    ])
    .where('payment.paymentIntentId', 'in', paymentIntentIds)
    .execute()
  const sponsorships = await db
    .selectFrom('sponsorship')
    .select([
      'paymentReference as intent',
      'receiptNumber',
      sql<null>`null`.as('accountId'),
      sql<string>`case when company = '' then name else company end`.as('name'),
      sql<string>`'Sponsor, ' || tier_name`.as('what'),
    ])
    .where('paymentReference', 'in', paymentIntentIds)
    .execute()
  const seats = await db
    .selectFrom('rsvpOrder')
    .select([
      'paymentReference as intent',
      'receiptNumber',
      sql<null>`null`.as('accountId'),
      'name',
      sql<string>`'Seats, ' || title`.as('what'),
    ])
    .where('paymentReference', 'in', paymentIntentIds)
    .execute()
  return new Map(
    [...dues, ...sponsorships, ...seats].map(({ intent, receiptNumber, ...paid }) => [
      intent ?? '',
      { ...paid, receiptNumber: receiptNumber ?? '' },
    ]),
  )
}
