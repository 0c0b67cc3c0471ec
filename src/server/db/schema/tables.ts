import { sql } from 'kysely'
import { engineOf, type Db } from '../database.ts'

export type ColumnType = 'text' | 'integer' | 'bigint'

export interface Table {
  name: string
  /** Sorted by name, so that both engines list them alike. */
  columns: { name: string; type: ColumnType }[]
}

/**
 * Lists all tables in an order in which rows can be inserted: referenced tables first. A full-text index, which SQLite stores in several tables, counts as one.
 * @throws Error for a column type that the engines do not share, and for circular references
 */
export async function listTables(db: Db): Promise<Table[]> {
  const tables = new Map<string, Table>()
  for (const { table, column, type } of await readColumns(db)) {
    const known = tables.get(table) ?? { name: table, columns: [] }
    tables.set(table, known)
    known.columns.push({ name: column, type: sharedType(type, `${table}.${column}`) })
  }
  for (const { columns } of tables.values()) columns.sort((a, b) => (a.name < b.name ? -1 : 1))
  return sortByReferences(tables, await readReferences(db))
}

/** Tables that triggers fill from others: their rows are neither copied nor kept in a backup. */
const DERIVED_TABLES: readonly string[] = ['account_search', 'hashed_address', 'listed_member']

/** The tables of `listTables` whose rows are stored nowhere else. */
export async function listDataTables(db: Db): Promise<Table[]> {
  return (await listTables(db)).filter(({ name }) => isDataTable(name))
}

export function isDataTable(name: string): boolean {
  return !DERIVED_TABLES.includes(name)
}

function sharedType(type: string, column: string): ColumnType {
  // The columns of SQLite's full-text index have no type.
  const normalized = type.toLowerCase() || 'text'
  if (normalized === 'text' || normalized === 'integer' || normalized === 'bigint') return normalized
  throw new Error(`${column} has the type ${type}, which the two engines may not store alike.`)
}

interface ColumnRow {
  table: string
  column: string
  type: string
}

async function readColumns(db: Db): Promise<ColumnRow[]> {
  const query =
    engineOf(db) === 'sqlite'
      ? sql<ColumnRow>`
          select t.name as "table", c.name as "column", c.type as "type"
          from pragma_table_list t, pragma_table_info(t.name) c
          where t.schema = 'main' and t.type in ('table', 'virtual') and t.name not like 'sqlite%'
          order by t.name`
      : sql<ColumnRow>`
          select t.table_name as "table", c.column_name as "column", c.data_type as "type"
          from information_schema.tables t
          join information_schema.columns c on c.table_schema = t.table_schema and c.table_name = t.table_name
          where t.table_schema = current_schema() and t.table_type = 'BASE TABLE'
          order by t.table_name`
  return (await query.execute(db)).rows
}

interface Reference {
  table: string
  refersTo: string
}

async function readReferences(db: Db): Promise<Reference[]> {
  const query =
    engineOf(db) === 'sqlite'
      ? sql<Reference>`
          select t.name as "table", f."table" as "refersTo"
          from pragma_table_list t, pragma_foreign_key_list(t.name) f
          where t.schema = 'main' and t.type = 'table'`
      : sql<Reference>`
          select t.relname as "table", r.relname as "refersTo"
          from pg_constraint k
          join pg_class t on t.oid = k.conrelid
          join pg_class r on r.oid = k.confrelid
          where k.contype = 'f' and t.relnamespace = current_schema()::regnamespace`
  return (await query.execute(db)).rows
}

function sortByReferences(tables: Map<string, Table>, references: readonly Reference[]): Table[] {
  const ordered = new Set<Table>()
  const rest = new Set(tables.values())
  while (rest.size > 0) {
    const ready = [...rest].filter(({ name }) =>
      references.every(({ table, refersTo }) => {
        const referenced = tables.get(refersTo)
        return table !== name || referenced === undefined || ordered.has(referenced)
      }),
    )
    if (ready.length === 0) {
      throw new Error(`These tables reference each other in a circle: ${[...rest].map(({ name }) => name).join(', ')}`)
    }
    for (const table of ready) {
      ordered.add(table)
      rest.delete(table)
    }
  }
  return [...ordered]
}
