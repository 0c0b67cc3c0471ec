import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/db/database.ts'
import { readRows } from '#server/db/copy-tables.ts'
import { migrate, migrateWithin } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { RENAMED_COLUMNS, RENAMED_TABLES } from '#server/db/migrations/0035-plain-names.ts'
import { MOVED_TABLES } from '#server/db/migrations/0037-content-records.ts'
import { TableDigest } from '#server/db/table-digest.ts'
import { listDataTables, type Table } from '#server/db/schema/tables.ts'
import { fillEveryTable } from '#tests/support/any-rows.ts'
import { makeDatabase, testServer, testServers, type OwnDatabase } from '#tests/trust/database.ts'
import { tally, until } from '#tests/trust/load.ts'
import { Program } from '#tests/trust/faults/processes.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

const NAMES = Object.keys(migrations).sort()
const NOW = Date.UTC(2030, 5, 15, 12)
/** From the first to the last step of the killed program. */
const WHOLE_RUN_MS = 400

export const row: TrustRow = {
  id: 'T50',
  promise: 'Upgrade',
  gate: false,
  target:
    'from the state before every migration, with rows in every table, to the current one: nothing lost, a second run changes nothing; 20 x kill -9 during migrations, and the next start finishes; downgrade refused with a message',
  async run({ count, random }) {
    const faults = new Faults()
    const reached: string[] = []
    for (const server of testServers()) {
      const directory = mkdtempSync(join(tmpdir(), 'association-upgrade-'))
      try {
        reached.push(await runOn({ open: () => makeDatabase(directory, server), directory, count, random, faults }))
      } finally {
        rmSync(directory, { recursive: true, force: true })
      }
    }
    return {
      passed: faults.count === 0,
      reached: `${reached.join('; ')}; faults: ${faults}`,
      notes: `There is one release yet: the states come from the migrations themselves${testServer() ? '' : '. PostgreSQL: TEST_DATABASE_URL names no server'}`,
    }
  },
}

interface Trial {
  open(): Promise<OwnDatabase>
  directory: string
  count(full: number, quick: number): number
  random: Random
  faults: Faults
}

async function runOn({ open, directory, count, random, faults }: Trial): Promise<string> {
  let rows = 0
  let engine = ''
  for (const before of NAMES) {
    const own = await open()
    engine = own.engine
    rows += await inDatabase(own, (database) => upgradeFrom(before, database, faults))
    await clear(own, directory)
  }
  const struck: string[] = []
  const rounds = count(20, 4)
  for (let round = 0; round < rounds; round++) {
    const own = await open()
    // Not the last: nothing comes after it.
    struck.push(await interrupt(own, { before: random.pick(NAMES.slice(0, -1)), random, faults }))
    await clear(own, directory)
  }
  const own = await open()
  const sentence = await downgrade(own, directory, faults)
  await clear(own, directory)
  return (
    `${engine}: ${NAMES.length} states, ${rows} rows, every value found again after the upgrade and unchanged by a second; ` +
    `${rounds} kills, struck ${tally(struck)}, each brought up to date by the next start with its rows; a newer database: "${sentence}"`
  )
}

async function inDatabase<T>(own: OwnDatabase, work: (database: Database) => Promise<T>): Promise<T> {
  const database = own.open()
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** The row has to remove its own database file. */
async function clear(own: OwnDatabase, directory: string): Promise<void> {
  await own.remove()
  rmSync(directory, { recursive: true, force: true })
}

/** Returns the number of rows. */
async function upgradeFrom(before: string, database: Database, faults: Faults): Promise<number> {
  const old = await makeOld(before, database)
  const applied = await migrate(database, NOW)
  faults.expect(
    applied.join() === NAMES.filter((name) => name > before).join(),
    'wrong migrations',
    `${before}: ${applied.join()}`,
  )
  await requireKept(old, database, faults, before)
  const whole = await digests(database, await listDataTables(database.db))
  faults.expect((await migrate(database, NOW + 1)).length === 0, 'a second run migrated', before)
  faults.expect(
    (await digests(database, await listDataTables(database.db))) === whole,
    'a second run changed rows',
    before,
  )
  return old.tables.length * 2 + old.content.length
}

interface OldState {
  tables: Table[]
  digests: string
  /** The texts of the tables whose rows become records. */
  content: string[]
}

/** The state after a migration, with rows in every table. */
async function makeOld(upTo: string, database: Database): Promise<OldState> {
  await database.db.transaction().execute((tx) => migrateWithin(tx, database.engine, NOW, upTo))
  await fillEveryTable(database)
  const all = (await listDataTables(database.db)).filter(({ name }) => name !== 'migration')
  const [moved, tables] = [all.filter(isMoved), all.filter((table) => !isMoved(table))]
  return { tables, digests: await digests(database, tables), content: await textsOf(database, moved) }
}

/** Every text of these tables. An announcement is one row: a second one was never shown. */
async function textsOf({ db }: Database, tables: readonly Table[]): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const texts: string[] = []
    for (const table of tables)
      for await (const rows of readRows(tx, table))
        for (const row of table.name === 'notice' ? rows.slice(0, 1) : rows)
          for (const { name, type } of table.columns)
            if (type === 'text' && !isDropped(table.name, name)) texts.push(String(row[name]))
    return texts
  })
}

/** Ids that only told the rows of a list apart. */
function isDropped(table: string, column: string): boolean {
  return column === 'id' && ['leader', 'faq', 'figure', 'notice'].includes(table)
}

function isMoved({ name }: Table): boolean {
  return (MOVED_TABLES as readonly string[]).includes(name)
}

/** Every text of the former tables of content is in a record or in a version. */
async function requireContent({ content }: OldState, { db }: Database, faults: Faults, example: string): Promise<void> {
  const { rows } = await sql<{ text: string }>`
    select kind || ' ' || id || ' ' || value as text from content_record union all
    select kind || ' ' || record_id || ' ' || value as text from content_revision where number <= 0`.execute(db)
  const stored = rows.map(({ text }) => text).join('\n')
  const lost = content.filter((text) => !stored.includes(text) && !stored.includes(JSON.stringify(text).slice(1, -1)))
  faults.expect(lost.length === 0, 'content lost by an upgrade', `${example}: ${lost[0]}`)
}

/** The columns of the old state have the same values. */
async function requireKept(old: OldState, database: Database, faults: Faults, example: string): Promise<void> {
  const now = await digests(database, old.tables.map(withPresentNames))
  faults.expect(now === old.digests, 'rows changed by an upgrade', example)
  await requireContent(old, database, faults, example)
  const applied = await sql<{ name: string }>`select name from migration order by name`.execute(database.db)
  faults.expect(applied.rows.map(({ name }) => name).join() === NAMES.join(), 'not up to date', example)
  if (database.engine === 'sqlite') {
    const { rows } = await sql<{ integrityCheck: string }>`pragma integrity_check`.execute(database.db)
    faults.expect(rows[0]?.integrityCheck === 'ok', 'database damaged', example)
    const broken = await sql`pragma foreign_key_check`.execute(database.db)
    faults.expect(broken.rows.length === 0, 'references broken', example)
  }
}

async function digests({ db }: Database, tables: readonly Table[]): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const lines: string[] = []
    for (const table of tables) {
      const digest = new TableDigest(table)
      for await (const rows of readRows(tx, table))
        for (const row of rows) if (!isAddedByUpgrade(table, row)) digest.add(row)
      lines.push(`${presentName(table.name)} ${digest.rows} ${digest.checksum}`)
    }
    return lines.join('\n')
  })
}

/**
 * Migration 0030 stores which portraits forum members had by their file names, and 0037 adds committees of former terms to the versions; nothing else
 * adds rows to a table that was there.
 */
function isAddedByUpgrade({ name }: Table, row: Readonly<Record<string, unknown>>): boolean {
  const { bucket, folder, alt, number } = row
  if (name === 'content_revision') return Number(number) <= 0
  return name === 'picture_description' && bucket === 'exec' && folder === 'team' && alt === ''
}

/** A table of an older state under the names that it has today. */
function withPresentNames({ name, columns, ...rest }: Table): Table {
  const present = presentName(name)
  const renamed: Partial<Record<string, string>> =
    (RENAMED_COLUMNS as Record<string, Record<string, string>>)[present] ?? {}
  const named = columns.map((column) => ({ ...column, name: renamed[column.name] ?? column.name }))
  return { ...rest, name: present, columns: named }
}

function presentName(table: string): string {
  return (RENAMED_TABLES as Partial<Record<string, string>>)[table] ?? table
}

/** Kills a migration at a random moment; returns where. */
async function interrupt(
  own: OwnDatabase,
  { before, random, faults }: { before: string; random: Random; faults: Faults },
): Promise<string> {
  const old = await inDatabase(own, (database) => makeOld(before, database))
  const program = new Program('tests/trust/faults/interrupted-migration.ts', { DATABASE_URL: own.url })
  const began = await until(async () => program.hasEnded || program.output.includes('begins'), { everyMs: 1 })
  faults.expect(began !== null && !program.hasEnded, 'the migration did not begin', program.errors)
  const left = NAMES.filter((name) => name > before).length / NAMES.length
  await sleep(random.between(0, Math.ceil(WHOLE_RUN_MS * left)))
  await program.kill()
  const struck = program.output.includes('done') ? 'after the last step' : 'in the middle'
  await inDatabase(own, async (database) => {
    // The first thing the next start does.
    await migrate(database, NOW)
    await requireKept(old, database, faults, `${before}, ${struck}`)
    faults.expect((await migrate(database, NOW)).length === 0, 'a second run migrated', before)
  })
  return struck
}

/** An older release opens a database of a newer one. Returns its message. */
async function downgrade(own: OwnDatabase, directory: string, faults: Faults): Promise<string> {
  const state = await inDatabase(own, async (database) => {
    await migrate(database, NOW)
    await sql`insert into migration (name, applied_at) values ('9999-of-a-newer-release', 1)`.execute(database.db)
    return digests(database, await listDataTables(database.db))
  })
  const site = new Program('src/server/main.ts', {
    DATABASE_URL: own.url,
    DATA_DIR: directory,
    STANDINS_URL: 'http://127.0.0.1:9',
  })
  faults.expect((await site.ended) === 1, 'a downgrade started', site.output)
  const sentence = /This database was migrated by a newer release[^\n]*\./.exec(site.errors)?.[0] ?? ''
  faults.expect(sentence !== '', 'a downgrade was refused without a sentence', site.errors)
  await inDatabase(own, async (database) => {
    faults.expect(
      (await digests(database, await listDataTables(database.db))) === state,
      'a downgrade changed something',
    )
  })
  return sentence
}
