import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import {
  type RequestedChange,
  type Row,
  type RowChange,
  type TableName,
  type Value,
  readRow,
} from './row-change.queries.ts'

/** Changes one row and logs the previous values. */
export async function changeRow(
  tx: Tx,
  log: RowChange[],
  { table, column = 'id', value, set, seen = [] }: RequestedChange,
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

/** Does the same for every row that matches `where`. */
export async function changeRows(
  tx: Tx,
  log: RowChange[],
  wanted: { table: TableName; where: Record<string, Value>; set: Record<string, Value>; seen?: readonly string[] },
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

/** Reverts the changes, last one first. */
export async function revertChanges(tx: Tx, changes: readonly RowChange[]): Promise<void> {
  for (const { table, key, before } of changes.toReversed()) await writeRow(tx, table, key, before)
}

async function writeRow(tx: Tx, table: TableName, { column, value }: RowChange['key'], set: Row): Promise<void> {
  const assignments = Object.entries(set).map(([name, wanted]) => sql`${sql.ref(name)} = ${wanted}`)
  await sql`update ${sql.table(table)} set ${sql.join(assignments)} where ${sql.ref(column)} = ${value}`.execute(tx)
}
