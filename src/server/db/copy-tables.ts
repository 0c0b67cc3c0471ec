import { CompiledQuery, sql } from 'kysely'
import { engineOf, type Tx } from './database.ts'
import { TableDigest } from './table-digest.ts'
import { listTables, type Table } from './tables.ts'

/** What was copied, and found again in the copy. */
export interface CopiedTable {
  name: string
  rows: number
  /** Equal rows have equal checksums on both engines, see `TableDigest`. */
  checksum: string
}

export type Row = Record<string, unknown>

// About what is in memory at a time, in characters: a newsletter with pictures in it may have a million.
const BATCH_LENGTH = 4_000_000
const FIRST_ROWS = 20
const MOST_ROWS = 2_000
// Of one SQLite statement; its parameters are limited, and a few sizes of statement can be kept prepared.
const ROWS_A_STATEMENT = 64

/**
 * Copies every row of every table into a database that has the same tables, all of them empty, whatever engine either is; then reads the copy and
 * compares it, table by table. A few megabytes are in memory at a time. The caller's transactions decide what is seen of the one and kept of the other.
 * @throws when the tables are not the same, when the other engine cannot keep a value, and when the copy differs.
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
  const tables = await listTables(to)
  requireSameTables(await listTables(from), tables)
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

/** All rows, some at a time: as many as were about the wished length before. */
export async function* readRows(tx: Tx, table: Table): AsyncGenerator<Row[]> {
  const fetch = engineOf(tx) === 'sqlite' ? readByRowId(tx, table) : await readByCursor(tx, table)
  let count = FIRST_ROWS
  for (;;) {
    const rows = await fetch(count)
    if (rows.length === 0) return
    yield rows
    count = Math.min(MOST_ROWS, Math.max(1, Math.floor((BATCH_LENGTH / lengthOf(rows)) * rows.length)))
  }
}

function lengthOf(rows: readonly Row[]): number {
  let length = 0
  for (const row of rows) {
    for (const value of Object.values(row)) length += typeof value === 'string' ? value.length : 8
  }
  return length
}

function readByRowId(tx: Tx, { name, columns }: Table): (count: number) => Promise<Row[]> {
  const ROW_ID = 'id of the row'
  let last: unknown = Number.MIN_SAFE_INTEGER
  const wanted = sql.join(columns.map((column) => sql.ref(column.name)))
  return async (count) => {
    const { rows } = await sql<Row>`
      select rowid as ${sql.ref(ROW_ID)}, ${wanted} from ${sql.table(name)}
      where rowid > ${last} order by rowid limit ${count}`.execute(tx)
    last = rows.at(-1)?.[ROW_ID]
    return rows
  }
}

async function readByCursor(tx: Tx, { name, columns }: Table): Promise<(count: number) => Promise<Row[]>> {
  const wanted = sql.join(columns.map((column) => sql.ref(column.name)))
  await sql`declare rows_to_copy no scroll cursor for select ${wanted} from ${sql.table(name)}`.execute(tx)
  return async (count) => {
    const { rows } = await sql<Row>`fetch ${sql.lit(count)} from rows_to_copy`.execute(tx)
    if (rows.length === 0) await sql`close rows_to_copy`.execute(tx)
    return rows
  }
}

/** Adds rows to a table that has none of them. */
export async function writeRows(tx: Tx, table: Table, rows: readonly Row[]): Promise<void> {
  if (engineOf(tx) === 'postgres') return writeAsOneValue(tx, table, rows)
  for (let at = 0; at < rows.length;) {
    const size = rows.length - at >= ROWS_A_STATEMENT ? ROWS_A_STATEMENT : 1
    await writeAsParameters(tx, table, rows.slice(at, at + size))
    at += size
  }
}

/** One parameter for all rows: several times as fast as one for each value. */
async function writeAsOneValue(tx: Tx, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const text = JSON.stringify(rows)
  if (text.includes('\\u0000')) refuseNul(name, columns, rows)
  const names = columns.map((column) => quote(column.name)).join(', ')
  const types = columns.map((column) => `${quote(column.name)} ${column.type}`).join(', ')
  const statement = `insert into ${quote(name)} (${names}) select ${names} from json_to_recordset($1::json) as r (${types})`
  await tx.executeQuery(CompiledQuery.raw(statement, [text]))
}

/** PostgreSQL keeps every character but this one; the forms of the site let none through. */
function refuseNul(table: string, columns: Table['columns'], rows: readonly Row[]): void {
  const found = columns.find(({ name }) => rows.some((row) => String(row[name]).includes('\0')))
  if (!found) return
  throw new Error(
    `A text in ${table}.${found.name} holds a NUL character, which PostgreSQL cannot keep. Take it out and try again: ` +
      `update ${table} set ${found.name} = replace(${found.name}, char(0), '')`,
  )
}

async function writeAsParameters(tx: Tx, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const names = columns.map((column) => quote(column.name)).join(', ')
  const places = `(${columns.map(() => '?').join(', ')})`
  const statement = `insert into ${quote(name)} (${names}) values ${rows.map(() => places).join(', ')}`
  const values = rows.flatMap((row) => columns.map((column) => row[column.name]))
  await tx.executeQuery(CompiledQuery.raw(statement, values))
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
