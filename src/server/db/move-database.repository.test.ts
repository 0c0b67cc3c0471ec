import { storeRecord } from '#tests/support/content/stored-records.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countedRows, openTestDatabase, testEngine } from '#tests/support/test-database.ts'
import { NOW } from '#tests/support/use-test-database.ts'
import type { Database } from './database.ts'
import { matchesWords } from './full-text.ts'
import { migrate } from './migrate.ts'
import { moveDatabase } from './move-database.ts'
import { listDataTables, listTables, type ColumnType } from './schema/tables.ts'

let source: Database
let target: Database

beforeEach(async () => {
  source = await openTestDatabase('sqlite')
  target = await openTestDatabase()
})
afterEach(async () => {
  await source.close()
  await target.close()
})

const isUnused = async () => false

async function move(from = source, to = target, more: Partial<Parameters<typeof moveDatabase>[0]> = {}) {
  return moveDatabase({ from, to, now: NOW, isInUse: isUnused, ...more })
}

/** All texts of a row are the same, so that references find their row. */
const TEXTS = ['plain', 'O’Brien "Ananya" \\u0000 \\ 🩺🏽 ஆரோக்கியம் ﷽\r\n\t']
const LONG = 'क्ष 0123456789 '.repeat(60_000)
/** More than one batch. */
const MANY = 150
const LARGEST: Record<Exclude<ColumnType, 'text'>, number> = { integer: 2_147_483_647, bigint: Number.MAX_SAFE_INTEGER }

/** Inserts rows with the extremes of every type into every table; nulls wherever allowed. */
async function fillEveryTable({ db }: Database): Promise<string[]> {
  const tables = (await listDataTables(db)).filter(({ name }) => name !== 'migration')
  for (const { name, columns } of tables) {
    const nullable = await nullableColumns(db, name)
    for (const [turn, text] of TEXTS.entries()) {
      const values = columns.map(({ name: column, type }) => {
        if (turn === 0 && nullable.has(column)) return null
        return type === 'text' ? text : LARGEST[type] * (turn === 0 ? 1 : -1) + turn
      })
      const names = columns.map((column) => sql.ref(column.name))
      await sql`insert into ${sql.table(name)} (${sql.join(names)}) values (${sql.join(values)})`.execute(db)
    }
  }
  await db.updateTable('campaign').set({ html: LONG }).execute()
  const entry = { at: 1, actor: '', action: '', subjectId: '', details: '' }
  await db
    .insertInto('audit')
    .values(Array.from({ length: MANY }, (_, turn) => ({ ...entry, id: `entry-${turn}` })))
    .execute()
  return tables.map(({ name }) => name)
}

async function nullableColumns(db: Database['db'], table: string): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_info(${table}) where "notnull" = 0 and type <> ''`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function rowsOf({ db }: Database, table: string): Promise<string[]> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db.withoutPlugins())
  return rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
}

test('every row of every table is copied, with the extremes of every type, and copied back', async () => {
  await migrate(source, NOW)
  const names = await fillEveryTable(source)
  expect(names).toEqual(expect.arrayContaining(['account', 'campaign_search', 'delivery', 'outbox']))
  const there = await move()
  const returned = await openTestDatabase('sqlite')
  const back = await move(target, returned)
  expect(back.toSorted(byName)).toEqual(there.toSorted(byName))
  for (const table of [...names, 'migration']) {
    const rows = await rowsOf(source, table)
    expect(rows.length, table).toBeGreaterThanOrEqual(2)
    expect(there.find(({ name }) => name === table)?.rows, table).toBe(rows.length)
    // Millions of characters: compare for equality only, without a diff.
    for (const database of [target, returned])
      expect(JSON.stringify(await rowsOf(database, table)) === JSON.stringify(rows), table).toBe(true)
  }
  await returned.close()
})

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1
}

test.skipIf(testEngine === 'sqlite')('PostgreSQL has current statistics after a move', async () => {
  await migrate(source, NOW)
  await fillEveryTable(source)
  await move()
  expect(await countedRows(target, 'audit')).toBe(MANY + TEXTS.length)
})

test('the copy is searchable', async () => {
  await migrate(source, NOW)
  for (const [id, words] of Object.entries({ diwali: 'lamps of diwali', clinic: 'clinic days' }))
    await source.db.insertInto('campaignSearch').values({ campaignId: id, words }).execute()
  await move()
  const found = await target.db
    .selectFrom('campaignSearch')
    .select('campaignId')
    .where(matchesWords(target.db, ['cli']))
    .execute()
  expect(found).toEqual([{ campaignId: 'clinic' }])
})

test('a failure leaves the target without a single table', async () => {
  await migrate(source, NOW)
  const onTable = ({ name }: { name: string }) => {
    if (name === 'delivery') throw new Error('the power is gone')
  }
  await expect(move(source, target, { onTable })).rejects.toThrow('the power is gone')
  expect(await listTables(target.db)).toEqual([])
})

const refusals: [what: string, prepare: () => Promise<unknown>, sentence: RegExp][] = [
  ['nothing to move', async () => {}, /contains no site/],
  [
    'rows in the target',
    async () => {
      await migrate(source, NOW)
      await migrate(target, NOW)
      await storeRecord(target.db, { kind: 'x' }, 1)
    },
    /is not empty: content_record has rows/,
  ],
  [
    'tables of something else in the target',
    async () => {
      await migrate(source, NOW)
      await sql`create table recipe (name text)`.execute(target.db)
    },
    /other tables \(recipe\)/,
  ],
  [
    'a source of an older release',
    async () => {
      await migrate(source, NOW)
      await sql`delete from migration where name = '0010-credentials'`.execute(source.db)
    },
    /older release \(missing: 0010-credentials\)/,
  ],
  [
    'a source of a newer release',
    async () => {
      await migrate(source, NOW)
      await sql`insert into migration (name, applied_at) values ('9999-later', 1)`.execute(source.db)
    },
    /newer release \(9999-later\)/,
  ],
]

test.for(refusals)('%s: refused', async ([, prepare, sentence]) => {
  await prepare()
  const before = await listTables(target.db)
  await expect(move()).rejects.toThrow(sentence)
  expect(await listTables(target.db)).toEqual(before)
})

test('a running site is not moved', async () => {
  await migrate(source, NOW)
  await expect(move(source, target, { isInUse: async () => true })).rejects.toThrow('Stop every instance first.')
  expect(await listTables(target.db)).toEqual([])
})

test.runIf(testEngine !== 'sqlite')(
  'a character that PostgreSQL cannot store is reported with its place and the fix',
  async () => {
    await migrate(source, NOW)
    await storeRecord(source.db, { kind: 'x' }, 1, 'a\0b')
    await expect(move()).rejects.toThrow(
      "A text in content_record.id contains a NUL character, which PostgreSQL cannot store. Remove it and try again: update content_record set id = replace(id, char(0), '')",
    )
    expect(await listTables(target.db)).toEqual([])
  },
)
