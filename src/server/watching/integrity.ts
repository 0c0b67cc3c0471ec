import { sql } from 'kysely'
import type { Database, Db } from '../db/database.ts'

export interface IntegrityReport {
  /** What was asked of the engine. */
  asked: string[]
  /** What it found, in its own words: names of tables and indexes, no rows. */
  damages: string[]
  /** What could not be asked here, and why. */
  notAsked: string[]
}

/** What the engine says of its own files, indexes and references. Reads only; with a large database it takes minutes. */
export async function checkIntegrity({ db, engine }: Database): Promise<IntegrityReport> {
  return engine === 'sqlite' ? checkSqlite(db) : checkPostgres(db)
}

async function checkSqlite(db: Db): Promise<IntegrityReport> {
  const { rows: found } = await sql<{ integrity_check: string }>`pragma integrity_check(20)`.execute(db)
  const { rows: strays } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db)
  const lost = new Map<string, number>()
  for (const { table, parent } of strays)
    lost.set(`${table} -> ${parent}`, (lost.get(`${table} -> ${parent}`) ?? 0) + 1)
  return {
    asked: ['integrity_check', 'foreign_key_check'],
    damages: [
      ...found.map((row) => row.integrity_check).filter((said) => said !== 'ok'),
      ...[...lost].map(([reference, count]) => `${count} rows refer to nothing: ${reference}`),
    ],
    notAsked: [],
  }
}

async function checkPostgres(db: Db): Promise<IntegrityReport> {
  const { rows: unproved } = await sql<{ name: string }>`
    select c.conrelid::regclass::text || '.' || c.conname as name from pg_constraint c
    join pg_namespace n on n.oid = c.connamespace where n.nspname = current_schema() and not c.convalidated`.execute(db)
  const { rows: broken } = await sql<{ name: string }>`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema() and not (i.indisvalid and i.indisready)`.execute(
    db,
  )
  const { rows: extension } = await sql`select 1 from pg_extension where extname = 'amcheck'`.execute(db)
  const damages = [
    ...unproved.map(({ name }) => `the constraint ${name} was never proved`),
    ...broken.map(({ name }) => `the index ${name} is not valid`),
  ]
  const asked = ['constraints', 'indexes']
  if (extension.length === 0) {
    const cure =
      'amcheck is not installed: "create extension amcheck" as superuser has every index compared with its table'
    return { asked, damages, notAsked: [cure] }
  }
  return { asked: [...asked, 'amcheck'], damages: [...damages, ...(await compareIndexes(db))], notAsked: [] }
}

async function compareIndexes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ oid: number; name: string }>`
    select c.oid::int as oid, c.relname as name from pg_class c join pg_am a on a.oid = c.relam
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'i' and a.amname = 'btree' and n.nspname = current_schema()`.execute(db)
  const damages: string[] = []
  for (const { oid, name } of rows) {
    await sql`select bt_index_check(${oid}::regclass, true)`.execute(db).catch((error: unknown) => {
      damages.push(`${name}: ${(error as Error).message}`)
    })
  }
  return damages
}
