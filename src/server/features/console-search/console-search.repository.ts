import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { accountIdsWith, refreshMemberSearch } from '#server/features/member-admin/member-search.queries.ts'
import { mayBeInReceiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'

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

/** More payers or receipts than these match with many payments, so reading the newest payments soon meets some. */
const FEW = 100

/** The newest payments of dues, seats and sponsorships whose receipt number or payer contains the text. */
export async function findPayments(db: Db, text: string, limit: number): Promise<FoundPayment[]> {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const contains = (...columns: string[]) =>
    sql<boolean>`(${sql.join(
      columns.map((column) => sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`),
      sql` or `,
    )})`
  await refreshMemberSearch(db)
  const isPayer = sql<boolean>`account.id in ${accountIdsWith([text])}`
  const whole = sql<boolean>`payment.receipt_number = ${text.toUpperCase()}`
  // A whole number is looked up; a part of one is compared with a million.
  const isReceipt = (await hasPayment(db, whole)) ? whole : contains('payment.receipt_number')
  const [byPayer, byReceipt, seats, sponsorships] = await Promise.all([
    findDues(db, {
      column: 'payment.accountId',
      isWanted: isPayer,
      candidates: db.selectFrom('account').select('account.id as value').where(isPayer),
      limit,
    }),
    mayBeInReceiptNumber(text)
      ? findDues(db, {
          column: 'payment.receiptNumber',
          isWanted: isReceipt,
          // Read from the index of receipt numbers, without the payments.
          candidates: db.selectFrom('payment').select('receiptNumber as value').where(isReceipt),
          limit,
        })
      : [],
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
  const dues = new Map([...byPayer, ...byReceipt].map((payment) => [payment.receiptNumber, payment]))
  return [...dues.values(), ...seats, ...sponsorships]
    .map((row) => ({ ...row, receiptNumber: row.receiptNumber ?? '', paidAt: Number(row.paidAt) }))
    .sort((a, b) => b.paidAt - a.paidAt)
    .slice(0, limit)
}

async function hasPayment(db: Db, isWanted: RawBuilder<boolean>): Promise<boolean> {
  return (await db.selectFrom('payment').select('id').where(isWanted).limit(1).executeTakeFirst()) !== undefined
}

/** @param candidates the values of `column` that are wanted: few of them are looked up in its index */
async function findDues(
  db: Db,
  {
    column,
    isWanted,
    candidates,
    limit,
  }: {
    column: 'payment.accountId' | 'payment.receiptNumber'
    isWanted: RawBuilder<boolean>
    candidates: SelectQueryBuilder<Schema, 'account' | 'payment', { value: string }>
    limit: number
  },
) {
  const values = (await candidates.limit(FEW + 1).execute()).map(({ value }) => value)
  if (values.length === 0) return []
  const newest = db
    .selectFrom('payment')
    .leftJoin('account', 'account.id', 'payment.accountId')
    .select([
      'receiptNumber',
      sql<string>`coalesce(account.first_name || ' ' || account.last_name, 'Deleted account')`.as('name'),
      'account.id as accountId',
      'amount',
      'currency',
      'paidAt',
    ])
    .orderBy('paidAt', 'desc')
    .limit(limit)
  return (values.length > FEW ? newest.where(isWanted) : newest.where(column, 'in', values)).execute()
}
