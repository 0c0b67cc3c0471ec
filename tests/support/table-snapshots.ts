import { sql, type Kysely } from 'kysely'
import type { Schema } from '#server/db/schema/schema.ts'

/** For each schema: the statements that restore its tables. */
const waysBack = new Map<string, string>()

/** Copies every table of a PostgreSQL schema, so that `restoreTables` can restore the rows. */
export async function snapshotTables(db: Kysely<Schema>, schema: string): Promise<void> {
  const tables = await tablesByNeed(db, schema)
  const kept = `${schema}_kept`
  const copies = tables.map((table) => `create table ${kept}.${table} as table ${schema}.${table}`)
  // One statement at a time: PGlite accepts no more.
  for (const statement of [`create schema ${kept}`, ...copies]) await sql.raw(statement).execute(db)
  const emptied = tables.toReversed().map((table) => `delete from ${schema}.${table};`)
  const filled = tables.map((table) => `insert into ${schema}.${table} select * from ${kept}.${table};`)
  waysBack.set(schema, `do $$ begin ${emptied.join(' ')} ${filled.join(' ')} end $$`)
}

/** @throws when `snapshotTables` was never called for it */
export async function restoreTables(db: Kysely<Schema>, schema: string): Promise<void> {
  const wayBack = waysBack.get(schema)
  if (!wayBack) throw new Error(`The tables of ${schema} were never kept.`)
  await sql.raw(wayBack).execute(db)
}

/** Its tables, each after those that its foreign keys reference. */
async function tablesByNeed(db: Kysely<Schema>, schema: string): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = ${schema}`.execute(db)
  const needs = await sql<{ child: string; parent: string }>`
    select child.relname as child, parent.relname as parent
    from pg_constraint
    join pg_class child on child.oid = conrelid
    join pg_class parent on parent.oid = confrelid
    join pg_namespace on pg_namespace.oid = child.relnamespace
    where contype = 'f' and nspname = ${schema}`.execute(db)
  const sorted: string[] = []
  let waiting = tables.rows.map(({ name }) => name)
  while (waiting.length > 0) {
    const isReady = (name: string) =>
      needs.rows.every(({ child, parent }) => child !== name || parent === name || sorted.includes(parent))
    const ready = waiting.filter(isReady)
    if (ready.length === 0) throw new Error(`These tables need each other in a circle: ${waiting.join(', ')}`)
    sorted.push(...ready)
    waiting = waiting.filter((name) => !ready.includes(name))
  }
  return sorted
}
