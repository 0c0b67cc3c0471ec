import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import { readRows, writeRows, type Row } from '../db/copy-tables.ts'
import { migrateWithin, tryLock } from '../db/migrate.ts'
import { gatherStatistics } from '../db/table-statistics.ts'
import { isDataTable, listDataTables, listTables, type Table } from '#server/db/schema/tables.ts'
import { resetRestoredState } from './after-restore.ts'
import { BackupProblem } from './backup-problem.ts'
import { writeChecked } from './checked-file.ts'
import type { DatabasePart, Manifest } from './manifest.ts'

/** Approximate number of characters held in memory at a time. */
const BATCH_LENGTH = 4_000_000

/** Copies every table from one snapshot into a gzipped file each: one line of JSON per row. */
export async function backUpPostgres({ db }: Database, directory: string): Promise<DatabasePart> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const part: DatabasePart = { schema: await lastMigration(tx), tables: {}, files: [] }
      for (const table of await listDataTables(tx)) {
        const path = fileName(table.name)
        const measured = await writeChecked(join(directory, path), serializeRows(tx, table, part.tables), {
          gzip: true,
        })
        part.files.push({ path, ...measured })
      }
      return part
    })
}

function fileName(table: string): string {
  return `${table}.jsonl.gz`
}

/** @param counts receives the number of rows */
async function* serializeRows(tx: Tx, table: Table, counts: Record<string, number>): AsyncGenerator<Buffer> {
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
 * Fills an empty database from a backup, all or nothing: creates the tables of the backup's release, loads their rows, then applies newer migrations.
 * @param aside schema to move existing tables to, with all their rows; null refuses them
 * @param installFiles called at the end; if it throws, everything is rolled back
 * @returns the number of rows per table
 */
export async function restorePostgres(
  { db }: Database,
  {
    backup,
    manifest,
    aside,
    now,
    placeFiles: installFiles,
  }: { backup: string; manifest: Manifest; aside: string | null; now: number; placeFiles(): Promise<void> },
): Promise<Record<string, number>> {
  const engine = 'postgres'
  const restored = await db.transaction().execute(async (tx) => {
    // A site starting meanwhile waits for the lock, then finds everything in place.
    if (!(await tryLock(tx, engine)))
      throw new BackupProblem(
        'The database is in use by a starting site or another command. Try again when it is done.',
      )
    const present = await listTables(tx)
    if (present.length > 0) {
      if (aside === null) throw notEmptyError()
      await setTablesAside(tx, present, aside)
    }
    await migrateWithin(tx, engine, now, manifest.schema)
    const tables = await listDataTables(tx)
    requireSameTables(tables, manifest)
    await sql`delete from migration`.execute(tx)
    for (const table of tables) await fill(tx, table, join(backup, fileName(table.name)))
    await requireCounts(tx, tables, manifest)
    await migrateWithin(tx, engine, now)
    await resetRestoredState(tx, now)
    const counts: Record<string, number> = {}
    for (const table of await listDataTables(tx)) counts[table.name] = await countRows(tx, table)
    await installFiles()
    return counts
  })
  await gatherStatistics(db)
  return restored
}

export function notEmptyError(): BackupProblem {
  return new BackupProblem(
    'The database is not empty. Restore into an empty one, or use --replace, which moves the existing data aside.',
  )
}

/** Whether the database has any table. */
export async function hasTables({ db }: Database): Promise<boolean> {
  return (await listTables(db)).length > 0
}

function requireSameTables(tables: readonly Table[], manifest: Manifest): void {
  const existing = tables.map(({ name }) => name).sort()
  // Earlier releases stored the rows of tables that triggers fill now: the next migrations fill them.
  const expected = Object.keys(manifest.tables).filter(isDataTable).sort()
  if (existing.join() !== expected.join())
    throw new BackupProblem(`The tables in the backup do not match its release: ${expected.join(', ')}.`)
}

async function fill(tx: Tx, table: Table, path: string): Promise<void> {
  let rows: Row[] = []
  let length = 0
  for await (const line of readLines(path)) {
    rows.push(JSON.parse(line) as Row)
    length += line.length
    if (length < BATCH_LENGTH) continue
    await writeRows(tx, table, rows)
    rows = []
    length = 0
  }
  if (rows.length > 0) await writeRows(tx, table, rows)
}

/** NOTE: readline would also split lines at U+2028, which texts may contain. */
async function* readLines(path: string): AsyncGenerator<string> {
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
    const expected = manifest.tables[table.name]
    if (count !== expected)
      throw new BackupProblem(`${table.name} has ${count} rows instead of the ${expected} in the backup.`)
  }
}

async function countRows(tx: Tx, { name }: Table): Promise<number> {
  const { rows } = await sql<{ count: string | number }>`select count(*) as count from ${sql.table(name)}`.execute(tx)
  return Number(rows[0]?.count ?? 0)
}

/** Moves the tables into another schema, with everything that belongs to them. */
async function setTablesAside(tx: Tx, tables: readonly Table[], schema: string): Promise<void> {
  await sql`create schema ${sql.id(schema)}`.execute(tx)
  for (const { name } of tables) await sql`alter table ${sql.table(name)} set schema ${sql.id(schema)}`.execute(tx)
}
