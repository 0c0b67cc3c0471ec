import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'

type Value = string | number | null

/** What was changed in one row, column by column, so that it can be changed back. */
export interface RowChange {
  table: keyof Schema
  key: { column: string; value: string }
  before: Record<string, Value>
  after: Record<string, Value>
  /** Columns that stayed, and have to be as they were for the way back to be exact. */
  seen: Record<string, Value>
}

/** A change that is wanted; columns that have the value already are left out. */
export interface WantedChange {
  table: keyof Schema
  column?: string
  value: string
  set: Record<string, Value>
  seen?: readonly string[]
}

/** Changes one row and writes down what it was. */
export async function changeRow(
  tx: Tx,
  log: RowChange[],
  { table, column = 'id', value, set, seen = [] }: WantedChange,
): Promise<void> {
  const key = { column, value }
  const row = await readRow(tx, table, key)
  if (!row) return
  const columns = Object.keys(set).filter((name) => row[name] !== set[name])
  if (columns.length === 0) return
  const after = Object.fromEntries(columns.map((name) => [name, set[name] ?? null]))
  const before = Object.fromEntries(columns.map((name) => [name, row[name] ?? null]))
  await writeRow(tx, table, key, after)
  log.push({ table, key, before, after, seen: Object.fromEntries(seen.map((name) => [name, row[name] ?? null])) })
}

/** The same for every row with a value in a column. */
export async function changeRows(
  tx: Tx,
  log: RowChange[],
  wanted: { table: keyof Schema; where: Record<string, Value>; set: Record<string, Value>; seen?: readonly string[] },
): Promise<number> {
  const { table, where, set, seen = [] } = wanted
  const conditions = Object.entries(where).map(([name, value]) =>
    value === null ? sql`${sql.ref(name)} is null` : sql`${sql.ref(name)} = ${value}`,
  )
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where ${sql.join(conditions, sql` and `)} order by id`.execute(tx)
  for (const { id } of rows) await changeRow(tx, log, { table, value: id, set, seen })
  return rows.length
}

/** The table of the first row that is no longer as a change left it; null when all of them are. */
export async function findAltered(db: Db, changes: readonly RowChange[]): Promise<keyof Schema | null> {
  const last = new Map<string, RowChange[]>()
  for (const change of changes) {
    const name = `${change.table} ${change.key.value}`
    last.set(name, [...(last.get(name) ?? []), change])
  }
  for (const of of last.values()) {
    const [first] = of
    if (!first) continue
    const row = await readRow(db, first.table, first.key)
    // A row that was changed twice is as the last change left it.
    const expected: Record<string, Value> = Object.assign({}, ...of.map(({ seen, after }) => ({ ...seen, ...after })))
    if (!row || Object.entries(expected).some(([name, value]) => row[name] !== value)) return first.table
  }
  return null
}

/** Changes everything back, the last first. */
export async function changeBack(tx: Tx, changes: readonly RowChange[]): Promise<void> {
  for (const { table, key, before } of changes.toReversed()) await writeRow(tx, table, key, before)
}

type Row = Record<string, Value>

async function readRow(db: Db, table: keyof Schema, { column, value }: RowChange['key']): Promise<Row | null> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(db)
  return rows[0] ?? null
}

async function writeRow(tx: Tx, table: keyof Schema, { column, value }: RowChange['key'], set: Row): Promise<void> {
  const assignments = Object.entries(set).map(([name, wanted]) => sql`${sql.ref(name)} = ${wanted}`)
  await sql`update ${sql.table(table)} set ${sql.join(assignments)} where ${sql.ref(column)} = ${value}`.execute(tx)
}
