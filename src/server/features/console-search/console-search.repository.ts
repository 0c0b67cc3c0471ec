import { sql, type RawBuilder } from 'kysely'
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

/** Payers and receipts that are looked up one by one; of more, the newest payments have some soon. */
const FEW = 100
/** What receipt numbers are made of (`receipt-number.rules.ts`). */
const IN_RECEIPT_NUMBERS = /^[0-9a-hjkmnp-tv-z-]+$/i

type Contains = (...columns: string[]) => RawBuilder<boolean>

/** The newest payments of dues, seats and sponsorships whose receipt number or payer contains the text. */
export async function findPayments(db: Db, text: string, limit: number): Promise<FoundPayment[]> {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const contains: Contains = (...columns) =>
    sql<boolean>`(${sql.join(
      columns.map((column) => sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`),
      sql` or `,
    )})`
  const [byPayer, byReceipt, seats, sponsorships] = await Promise.all([
    findDuesByPayer(db, contains, limit),
    IN_RECEIPT_NUMBERS.test(text) ? findDuesByReceipt(db, contains, limit) : [],
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

async function findDuesByPayer(db: Db, contains: Contains, limit: number) {
  const isPayer = contains('account.first_name', 'account.last_name', 'account.email')
  const payers = await db
    .selectFrom('account')
    .select('account.id')
    .where(isPayer)
    .limit(FEW + 1)
    .execute()
  if (payers.length === 0) return []
  const found = newestDues(db, limit)
  if (payers.length > FEW) return found.where(isPayer).execute()
  const ids = payers.map(({ id }) => id)
  return found.where('payment.accountId', 'in', ids).execute()
}

/** The numbers are compared in their index, without the payments. */
async function findDuesByReceipt(db: Db, contains: Contains, limit: number) {
  const isReceipt = contains('payment.receipt_number')
  const receipts = await db
    .selectFrom('payment')
    .select('receiptNumber')
    .where(isReceipt)
    .limit(FEW + 1)
    .execute()
  if (receipts.length === 0) return []
  const found = newestDues(db, limit)
  if (receipts.length > FEW) return found.where(isReceipt).execute()
  const numbers = receipts.map(({ receiptNumber }) => receiptNumber)
  return found.where('receiptNumber', 'in', numbers).execute()
}

function newestDues(db: Db, limit: number) {
  return db
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
}
