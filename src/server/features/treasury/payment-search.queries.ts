import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { PaymentMethod } from '#server/db/schema/money-schema.ts'
import { accountIdsWith } from '#server/features/member-admin/member-search.queries.ts'
import { METHOD_LABELS } from '#server/features/orders/payments/manual-payment.rules.ts'
import { mayBeInReceiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'

const ORDER_TEXTS = [sql`email`, sql`receipt_number`, sql`manual_reference`]
const SPONSOR_NAME = sql`case when company = '' then name else company end`

/** Splits what an officer typed into words, each of which a payment must have. */
export function paymentSearchWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '')
}

/** The words that are whole receipt numbers of dues: these are looked up, and parts of numbers compared with all. */
export async function listReceipts(db: Db, words: readonly string[]): Promise<ReadonlySet<string>> {
  const numbers = words.map((word) => word.toUpperCase())
  const rows = await db.selectFrom('payment').select('receiptNumber').where('receiptNumber', 'in', numbers).execute()
  return new Set(rows.map(({ receiptNumber }) => receiptNumber.toLowerCase()))
}

/**
 * Whether a line `e` of the ledger has a word in its payer, receipt, reference, what was paid for, or how. Finds the payments of the word first, by indexes,
 * since joining every payment of ten years takes seconds. Call `refreshMemberSearch` first.
 * @param levelNames lowercase names by key
 * @param isReceipt whether the word is among `listReceipts`
 */
export function lineHas(
  word: string,
  { levelNames, isReceipt }: { levelNames: ReadonlyMap<string, string>; isReceipt: boolean },
): RawBuilder<boolean> {
  const pattern = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const contains = (...texts: RawBuilder<unknown>[]) =>
    sql`(${sql.join(
      texts.map((text) => sql`lower(${text}) like ${pattern} escape '\\'`),
      sql` or `,
    )})`
  const levels = [...levelNames].flatMap(([key, name]) => (name.includes(word) ? [key] : []))
  const methods = (Object.keys(METHOD_LABELS) as PaymentMethod[]).filter((method) =>
    METHOD_LABELS[method].toLowerCase().includes(word),
  )
  const payers = accountIdsWith([word])
  // Numbers are read from their index alone; names cannot be in them.
  const numbers = [
    ...(isReceipt ? [sql`select id from payment where receipt_number = ${word.toUpperCase()}`] : []),
    ...(!isReceipt && mayBeInReceiptNumber(word)
      ? [
          sql`select id from payment where receipt_number in (select receipt_number from payment where ${contains(sql`receipt_number`)})`,
        ]
      : []),
    // A whole id of the provider, or a part of what officers entered, which indexes have apart.
    ...(/\d/.test(word)
      ? [
          sql`select id from payment where lower(reference) = ${word}`,
          sql`select id from payment where substr(reference, 1, 8) = 'by-hand:' and ${contains(sql`reference`)}`,
          sql`select id from payment where substr(reference, 1, 7) = 'voided:' and ${contains(sql`reference`)}`,
        ]
      : []),
  ]
  const found = [
    sql`select id from payment where account_id in ${payers}`,
    sql`select id from complimentary_term where account_id in ${payers}`,
    ...numbers,
    ...(levels.length > 0
      ? [
          sql`select id from payment where level_key in (${sql.join(levels)})`,
          sql`select id from complimentary_term where level_key in (${sql.join(levels)})`,
        ]
      : []),
    sql`select id from rsvp_order where ${contains(sql`name`, ...ORDER_TEXTS, sql`title`)}`,
    sql`select id from sponsorship where ${contains(SPONSOR_NAME, ...ORDER_TEXTS, sql`tier_name`)}`,
  ]
  const isFound = sql`e.payment_id in (${sql.join(found, sql` union all `)})`
  return methods.length > 0
    ? sql<boolean>`(${isFound} or e.method in (${sql.join(methods)}))`
    : sql<boolean>`${isFound}`
}
