import { CompiledQuery, sql } from 'kysely'
import { engineOf, type Tx } from './database.ts'
import { TableDigest } from './table-digest.ts'
import { listDataTables, type Table } from './schema/tables.ts'

/** A table that was copied and verified. */
export interface CopiedTable {
  name: string
  rows: number
  /** Equal rows have equal checksums on both engines; see `TableDigest`. */
  checksum: string
}

export type Row = Record<string, unknown>

// Approximate number of characters held in memory at a time: a newsletter with pictures may have a million.
const BATCH_LENGTH = 4_000_000
const FIRST_ROWS = 20
const MAX_ROWS = 2_000
// Rows per SQLite statement: parameters are limited, and few statement sizes let prepared statements be reused.
const ROWS_PER_STATEMENT = 64

/**
 * Copies every row of every table into a database with the same, empty tables, between any two engines; then reads the copy and compares it table by table.
 * Holds a few megabytes in memory at a time. The caller's transactions provide the snapshot and atomicity.
 * @throws Error when the tables differ, when the target engine cannot store a value, or when the copy differs
 */
export async function copyTables({
  from,
  to,
  onTable = () => {},
}: {
  from: Tx
  to: Tx
  onTable?: (copied: CopiedTable) => void
}): Promise<CopiedTable[]> {
  const tables = await listDataTables(to)
  requireSameTables(await listDataTables(from), tables)
  const copied: CopiedTable[] = []
  for (const table of tables) {
    const digest = new TableDigest(table)
    for await (const rows of readRows(from, table)) {
      for (const row of rows) digest.add(row)
      await writeRows(to, table, rows)
    }
    const { rows, checksum } = digest
    await requireEqual(to, table, digest)
    copied.push({ name: table.name, rows, checksum })
    onTable({ name: table.name, rows, checksum })
  }
  return copied
}

function requireSameTables(ours: readonly Table[], theirs: readonly Table[]): void {
  const describe = (tables: readonly Table[]) =>
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} ${column.type}`))
  const [here, there] = [new Set(describe(ours)), new Set(describe(theirs))]
  const different = [...here.symmetricDifference(there)]
  if (different.length > 0) throw new Error(`The two databases do not have the same tables: ${different.join(', ')}.`)
}

async function requireEqual(to: Tx, table: Table, written: TableDigest): Promise<void> {
  const read = new TableDigest(table)
  for await (const rows of readRows(to, table)) for (const row of rows) read.add(row)
  if (read.rows === written.rows && read.checksum === written.checksum) return
  throw new Error(
    `The copy of ${table.name} differs: ${written.rows} rows with the checksum ${written.checksum} were written, ` +
      `${read.rows} with ${read.checksum} read back.`,
  )
}

/** Reads all rows, with the column names of the database, in batches sized by the length of the previous ones. */
export async function* readRows(typed: Tx, table: Table): AsyncGenerator<Row[]> {
  const tx = typed.withoutPlugins()
  const fetch = engineOf(tx) === 'sqlite' ? readByRowId(tx, table) : await readByCursor(tx, table)
  let count = FIRST_ROWS
  for (;;) {
    const rows = await fetch(count)
    if (rows.length === 0) return
    yield rows
    count = Math.min(MAX_ROWS, Math.max(1, Math.floor((BATCH_LENGTH / measureLength(rows)) * rows.length)))
  }
}

function measureLength(rows: readonly Row[]): number {
  let length = 0
  for (const row of rows) {
    for (const value of Object.values(row)) length += typeof value === 'string' ? value.length : 8
  }
  return length
}

function readByRowId(tx: Tx, { name, columns }: Table): (count: number) => Promise<Row[]> {
  const ROW_ID_ALIAS = 'id of the row'
  let last: unknown = Number.MIN_SAFE_INTEGER
  const columnList = sql.join(columns.map((column) => sql.ref(column.name)))
  return async (count) => {
    const { rows } = await sql<Row>`
      select rowid as ${sql.ref(ROW_ID_ALIAS)}, ${columnList} from ${sql.table(name)}
      where rowid > ${last} order by rowid limit ${count}`.execute(tx)
    last = rows.at(-1)?.[ROW_ID_ALIAS]
    return rows
  }
}

async function readByCursor(tx: Tx, { name, columns }: Table): Promise<(count: number) => Promise<Row[]>> {
  const columnList = sql.join(columns.map((column) => sql.ref(column.name)))
  await sql`declare rows_to_copy no scroll cursor for select ${columnList} from ${sql.table(name)}`.execute(tx)
  return async (count) => {
    const { rows } = await sql<Row>`fetch ${sql.lit(count)} from rows_to_copy`.execute(tx)
    if (rows.length === 0) await sql`close rows_to_copy`.execute(tx)
    return rows
  }
}

/** Inserts rows into an empty table. */
export async function writeRows(tx: Tx, table: Table, rows: readonly Row[]): Promise<void> {
  if (engineOf(tx) === 'postgres') return writeAsOneValue(tx, table, rows)
  for (let offset = 0; offset < rows.length;) {
    const size = rows.length - offset >= ROWS_PER_STATEMENT ? ROWS_PER_STATEMENT : 1
    await writeAsParameters(tx, table, rows.slice(offset, offset + size))
    offset += size
  }
}

/** Passes all rows as one JSON parameter: several times faster than one parameter per value. */
async function writeAsOneValue(tx: Tx, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const text = JSON.stringify(rows)
  if (text.includes('\\u0000')) refuseNul(name, columns, rows)
  const names = columns.map((column) => quote(column.name)).join(', ')
  const types = columns.map((column) => `${quote(column.name)} ${column.type}`).join(', ')
  const statement = `insert into ${quote(name)} (${names}) select ${names} from json_to_recordset($1::json) as r (${types})`
  await tx.executeQuery(CompiledQuery.raw(statement, [text]))
}

/** PostgreSQL cannot store NUL characters; the site's forms reject them. */
function refuseNul(table: string, columns: Table['columns'], rows: readonly Row[]): void {
  const found = columns.find(({ name }) => rows.some((row) => String(row[name]).includes('\0')))
  if (!found) return
  throw new Error(
    `A text in ${table}.${found.name} contains a NUL character, which PostgreSQL cannot store. Remove it and try again: ` +
      `update ${table} set ${found.name} = replace(${found.name}, char(0), '')`,
  )
}

async function writeAsParameters(tx: Tx, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const names = columns.map((column) => quote(column.name)).join(', ')
  const placeholders = `(${columns.map(() => '?').join(', ')})`
  const statement = `insert into ${quote(name)} (${names}) values ${rows.map(() => placeholders).join(', ')}`
  const values = rows.flatMap((row) => columns.map((column) => row[column.name]))
  await tx.executeQuery(CompiledQuery.raw(statement, values))
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
