import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'

export type Value = string | number | null

/** A table by its name in the database: changes are stored, so their tables and columns are in snake_case. */
export type TableName = SnakeCase<keyof Schema>

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? '_' : ''}${Lowercase<First>}${SnakeCase<Rest>}`
  : ''

/** The changed columns of one row, so that the change can be reverted. */
export interface RowChange {
  table: TableName
  key: { column: string; value: string }
  before: Record<string, Value>
  after: Record<string, Value>
  /** Unchanged columns that must still have these values for the revert to be exact. */
  seen: Record<string, Value>
}

/** A requested change; columns that already have the value are skipped. */
export interface RequestedChange {
  table: TableName
  column?: string
  value: string
  set: Record<string, Value>
  seen?: readonly string[]
}

/** Returns the table of the first row that was modified after these changes; null if none was. */
export async function findModifiedTable(db: Db, changes: readonly RowChange[]): Promise<TableName | null> {
  const byRow = new Map<string, RowChange[]>()
  for (const change of changes) {
    const name = `${change.table} ${change.key.value}`
    byRow.set(name, [...(byRow.get(name) ?? []), change])
  }
  for (const changesOfRow of byRow.values()) {
    const [first] = changesOfRow
    if (!first) continue
    const row = await readRow(db, first.table, first.key)
    // A row that was changed twice has the values of its last change.
    const expected: Record<string, Value> = Object.assign(
      {},
      ...changesOfRow.map(({ seen, after }) => ({ ...seen, ...after })),
    )
    if (!row || Object.entries(expected).some(([name, value]) => row[name] !== value)) return first.table
  }
  return null
}

export type Row = Record<string, Value>

export async function readRow(db: Db, table: TableName, { column, value }: RowChange['key']): Promise<Row | null> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(
    db.withoutPlugins(),
  )
  return rows[0] ?? null
}
