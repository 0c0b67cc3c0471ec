import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { CamelCaseNames } from './camel-case-names.ts'
import { migrate } from './migrate.ts'
import { listTables } from './schema/tables.ts'

let database: Database

beforeEach(async () => {
  database = await openTestDatabase()
  await migrate(database, 0)
})

afterEach(() => database.close())

/** Makes the conversions public. */
class Names extends CamelCaseNames {
  there = (name: string) => this.camelCase(name)
  back = (name: string) => this.snakeCase(name)
}

test('every table and column has one name in camelCase', async () => {
  const names = new Names()
  const tables = await listTables(database.db)
  expect(tables.length).toBeGreaterThan(50)
  for (const name of tables.flatMap((table) => [table.name, ...table.columns.map((column) => column.name)])) {
    expect(names.back(names.there(name))).toBe(name)
  }
  expect(names.there('failures_in_a_row')).toBe('failuresInARow')
})

test('rows of built and of raw queries are in camelCase, the stored names in snake_case', async () => {
  const { db } = database
  const row = { key: 'one', count: 1, windowEndsAt: 2 }
  await db.insertInto('rateLimit').values(row).execute()
  const query = db.selectFrom('rateLimit').select(['key', 'windowEndsAt as endsAt'])
  expect(query.compile().sql).toContain('"window_ends_at" as "ends_at"')
  expect(await query.execute()).toEqual([{ key: 'one', endsAt: 2 }])
  expect(await db.selectFrom('rateLimit').selectAll().execute()).toEqual([row])
  expect((await sql`select * from rate_limit`.execute(db)).rows).toEqual([row])
  const stored = await sql`select * from rate_limit`.execute(db.withoutPlugins())
  expect(stored.rows).toEqual([{ key: 'one', count: 1, window_ends_at: 2 }])
})

test('rows with other columns are never confused, and no rows are no rows', async () => {
  const { db } = database
  const read = async (list: string) => (await sql`select ${sql.raw(list)}`.execute(db)).rows
  expect(await read(`1 as a_b, 2 as c_d`)).toEqual([{ aB: 1, cD: 2 }])
  expect(await read(`1 as a_b`)).toEqual([{ aB: 1 }])
  expect(await read(`'x' as "a b", 'y' as "it's"`)).toEqual([{ 'a b': 'x', "it's": 'y' }])
  expect(await db.selectFrom('rateLimit').selectAll().execute()).toEqual([])
})
