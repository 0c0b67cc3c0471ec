import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import type { LedgerEntryTable } from '#server/db/schema/money-schema.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { sumLedger } from './ledger.queries.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
  await migrate(database, 0)
  const entry = {
    kind: 'dues',
    paymentId: 'p',
    type: 'payment',
    currency: 'usd',
    method: 'card',
    recordedAt: 0,
  } as const
  const entries: (Pick<LedgerEntryTable, 'at' | 'amount'> & Partial<LedgerEntryTable>)[] = [
    { at: 99, amount: 1 },
    { at: 100, amount: 10, method: 'cheque' },
    { at: 150, amount: 2_000_000_000 },
    { at: 199, amount: 2_000_000_000 },
    { at: 200, amount: -5, type: 'refund' },
    { at: 299, amount: 7, kind: 'seats' },
    { at: 300, amount: 1 },
  ]
  await database.db
    .insertInto('ledgerEntry')
    .values(entries.map((own, index) => ({ ...entry, id: `entry-${index}`, ...own })))
    .execute()
})

afterAll(() => database.close())

test('entries are summed by the parts of the span, by all that tells them apart, in the order of the first ones', async () => {
  const sums = await sumLedger(database.db, { starts: [200, 100, 250], to: 300 })
  expect(sums.map(({ at, kind, type, method, amount }) => [at, kind, type, method, amount])).toEqual([
    [100, 'dues', 'payment', 'cheque', 10],
    [100, 'dues', 'payment', 'card', 4_000_000_000],
    [200, 'dues', 'refund', 'card', -5],
    [250, 'seats', 'payment', 'card', 7],
  ])
})

test('a span of one part, and one without entries', async () => {
  expect(await sumLedger(database.db, { starts: [200], to: 300 })).toHaveLength(2)
  expect(await sumLedger(database.db, { starts: [1_000], to: 2_000 })).toEqual([])
})
