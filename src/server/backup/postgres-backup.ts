import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import { readRows, writeRows, type Row } from '../db/copy-tables.ts'
import { migrateWithin, tryLock } from '../db/migrate.ts'
import { gatherStatistics } from '../db/table-statistics.ts'
import { listTables, type Table } from '../db/tables.ts'
import { settleRestored } from './after-restore.ts'
import { BackupProblem } from './backup-problem.ts'
import { writeChecked } from './checked-file.ts'
import type { DatabasePart, Manifest } from './manifest.ts'

/** About what is in memory at a time, in characters. */
const BATCH_LENGTH = 4_000_000

/** Copies every table as of one moment into a file each: a line of JSON a row, packed. */
export async function backUpPostgres({ db }: Database, directory: string): Promise<DatabasePart> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const part: DatabasePart = { schema: await lastMigration(tx), tables: {}, files: [] }
      for (const table of await listTables(tx)) {
        const path = fileOf(table.name)
        const facts = await writeChecked(join(directory, path), linesOf(tx, table, part.tables), { gzip: true })
        part.files.push({ path, ...facts })
      }
      return part
    })
}

function fileOf(table: string): string {
  return `${table}.jsonl.gz`
}

/** @param counts takes the number of rows */
async function* linesOf(tx: Tx, table: Table, counts: Record<string, number>): AsyncGenerator<Buffer> {
  let count = 0
  for await (const rows of readRows(tx, table)) {
    count += rows.length
    yield Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  counts[table.name] = count
}

async function lastMigration(tx: Tx): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`select max(name) as name from migration`.execute(tx)
  return rows[0]?.name ?? ''
}

/**
 * Fills an empty database from a backup, all or nothing: its tables as the release of the backup had them, their rows, then what newer releases changed.
 * @param aside where tables that are there already go, with all they hold; null refuses them
 * @param placeFiles called when all of that is done; what it throws undoes it
 * @returns the rows of each table
 */
export async function restorePostgres(
  { db }: Database,
  {
    backup,
    manifest,
    aside,
    now,
    placeFiles,
  }: { backup: string; manifest: Manifest; aside: string | null; now: number; placeFiles(): Promise<void> },
): Promise<Record<string, number>> {
  const engine = 'postgres'
  const restored = await db.transaction().execute(async (tx) => {
    // A site that starts meanwhile waits, and finds everything.
    if (!(await tryLock(tx, engine)))
      throw new BackupProblem(
        'The database is in use: a site starts on it, or another command is at work. Try again when it is done.',
      )
    const present = await listTables(tx)
    if (present.length > 0) {
      if (aside === null) throw notEmpty()
      await setTablesAside(tx, present, aside)
    }
    await migrateWithin(tx, engine, now, manifest.schema)
    const tables = await listTables(tx)
    requireSameTables(tables, manifest)
    await sql`delete from migration`.execute(tx)
    for (const table of tables) await fill(tx, table, join(backup, fileOf(table.name)))
    await requireCounts(tx, tables, manifest)
    await migrateWithin(tx, engine, now)
    await settleRestored(tx, now)
    const counts: Record<string, number> = {}
    for (const table of await listTables(tx)) counts[table.name] = await countRows(tx, table)
    await placeFiles()
    return counts
  })
  await gatherStatistics(db)
  return restored
}

export function notEmpty(): BackupProblem {
  return new BackupProblem(
    'The database is not empty. Restore into an empty one, or say --replace: what is there is then kept aside.',
  )
}

/** Whether there is any table in it. */
export async function hasTables({ db }: Database): Promise<boolean> {
  return (await listTables(db)).length > 0
}

function requireSameTables(tables: readonly Table[], manifest: Manifest): void {
  const made = tables.map(({ name }) => name).sort()
  const kept = Object.keys(manifest.tables).sort()
  if (made.join() !== kept.join())
    throw new BackupProblem(`The tables of the backup are not those of its release: ${kept.join(', ')}.`)
}

async function fill(tx: Tx, table: Table, path: string): Promise<void> {
  let rows: Row[] = []
  let length = 0
  for await (const line of linesIn(path)) {
    rows.push(JSON.parse(line) as Row)
    length += line.length
    if (length < BATCH_LENGTH) continue
    await writeRows(tx, table, rows)
    rows = []
    length = 0
  }
  if (rows.length > 0) await writeRows(tx, table, rows)
}

/** NOTE: not readline, which also ends a line at U+2028, as texts may hold it. */
async function* linesIn(path: string): AsyncGenerator<string> {
  const unpacked = createReadStream(path).pipe(createGunzip()).setEncoding('utf8') as AsyncIterable<string>
  let rest = ''
  for await (const text of unpacked) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function requireCounts(tx: Tx, tables: readonly Table[], manifest: Manifest): Promise<void> {
  for (const table of tables) {
    const count = await countRows(tx, table)
    const kept = manifest.tables[table.name]
    if (count !== kept) throw new BackupProblem(`${table.name} has ${count} rows and not the ${kept} of the backup.`)
  }
}

async function countRows(tx: Tx, { name }: Table): Promise<number> {
  const { rows } = await sql<{ count: string | number }>`select count(*) as count from ${sql.table(name)}`.execute(tx)
  return Number(rows[0]?.count ?? 0)
}

/** Into a schema beside this one, with everything that belongs to them. */
async function setTablesAside(tx: Tx, tables: readonly Table[], schema: string): Promise<void> {
  await sql`create schema ${sql.id(schema)}`.execute(tx)
  for (const { name } of tables) await sql`alter table ${sql.table(name)} set schema ${sql.id(schema)}`.execute(tx)
}
