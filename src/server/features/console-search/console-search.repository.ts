import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** A payment found by its receipt number, or by who paid. Times are epoch milliseconds. */
export interface FoundPayment {
  receiptNumber: string
  name: string
  /** The member who paid dues; null for others and for a deleted account. */
  accountId: string | null
  amount: number
  currency: string
  paidAt: number
}

/** The newest payments of dues, seats and sponsorships whose receipt number or payer contains the text. */
export async function findPayments(db: Db, text: string, limit: number): Promise<FoundPayment[]> {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const contains = (...columns: string[]) =>
    sql<boolean>`(${sql.join(
      columns.map((column) => sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`),
      sql` or `,
    )})`
  const name = sql<string>`coalesce(account.first_name || ' ' || account.last_name, 'Deleted account')`
  const [dues, seats, sponsorships] = await Promise.all([
    db
      .selectFrom('payment')
      .leftJoin('account', 'account.id', 'payment.accountId')
      .select(['receiptNumber', name.as('name'), 'account.id as accountId', 'amount', 'currency', 'paidAt'])
      .where(contains('payment.receipt_number', 'account.first_name', 'account.last_name', 'account.email'))
      .orderBy('paidAt', 'desc')
      .limit(limit)
      .execute(),
    db
      .selectFrom('rsvpOrder')
      .select(['receiptNumber', 'name', sql<null>`null`.as('accountId'), 'amount', 'currency', 'paidAt'])
      .where('state', '=', 'paid')
      .where(contains('receipt_number', 'name', 'email'))
      .orderBy('paidAt', 'desc')
      .limit(limit)
      .execute(),
    db
      .selectFrom('sponsorship')
      .select(['receiptNumber', sql<string>`case when company = '' then name else company end`.as('name')])
      .select([sql<null>`null`.as('accountId'), 'amount', 'currency', 'paidAt'])
      .where('state', '=', 'paid')
      .where(contains('receipt_number', 'name', 'company', 'email'))
      .orderBy('paidAt', 'desc')
      .limit(limit)
      .execute(),
  ])
  return [...dues, ...seats, ...sponsorships]
    .map((row) => ({ ...row, receiptNumber: row.receiptNumber ?? '', paidAt: Number(row.paidAt) }))
    .sort((a, b) => b.paidAt - a.paidAt)
    .slice(0, limit)
}
