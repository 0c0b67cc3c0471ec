import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { LedgerEntryTable } from '#server/db/schema/money-schema.ts'

/** The entries of one part of a span that are alike in everything else; `at` is where the part begins. */
export type LedgerSum = Pick<LedgerEntryTable, 'kind' | 'type' | 'at' | 'amount' | 'currency' | 'method'>

/**
 * The entries of a span, summed by its parts, in the order of their first entries. The database adds them up: a year may have a hundred thousand.
 * @param starts where the parts begin, the first being the beginning of the span
 * @param to exclusive
 */
export async function sumLedger(
  db: Db,
  { starts, to }: { starts: readonly number[]; to: number },
): Promise<LedgerSum[]> {
  const ascending = [...new Set(starts)].sort((one, other) => one - other)
  const [from = to, ...later] = ascending
  const cases = later.map((start, part) => sql`when at < ${sql.lit(start)} then ${sql.lit(part)}`)
  const part = later.length === 0 ? sql`0` : sql`case ${sql.join(cases, sql` `)} else ${sql.lit(later.length)} end`
  const { rows } = await sql<Omit<LedgerSum, 'at'> & { part: number; amount: number | string }>`
    select part, kind, type, method, currency, sum(amount) as amount
    from (select ${part} as part, at, kind, type, method, currency, amount from ledger_entry
      where at >= ${from} and at < ${to}) as entry
    group by part, kind, type, method, currency
    order by min(at)`.execute(db)
  return rows.map(({ part: index, amount, ...row }) => ({
    ...row,
    at: ascending[Number(index)] ?? from,
    amount: Number(amount),
  }))
}
