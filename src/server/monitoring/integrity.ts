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

/** SQLSTATE of damaged data, of a damaged index, and of a disk that cannot be read. Anything else only means that nothing was learned. */
const DAMAGE = new Set(['XX001', 'XX002', '58030'])

/**
 * What the engine says of its own files, indexes and references. Reads only; with a large database it takes minutes, so
 * PostgreSQL is to be opened patiently.
 */
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
  const damages = [
    ...unproved.map(({ name }) => `the constraint ${name} was never proved`),
    ...broken.map(({ name }) => `the index ${name} is not valid`),
  ]
  const asked = ['constraints', 'indexes']
  const compared = await compareIndexes(db)
  if ('cure' in compared) return { asked, damages, notAsked: [compared.cure] }
  return {
    asked: [...asked, 'amcheck'],
    damages: [...damages, ...compared.damages],
    notAsked: compared.notAsked,
  }
}

const COMPARES = 'has every index compared with its table'

/** Every index with its table, where the superuser has seen to it that we may. */
async function compareIndexes(db: Db): Promise<Pick<IntegrityReport, 'damages' | 'notAsked'> | { cure: string }> {
  const { rows: me } = await sql<{ role: string }>`select quote_ident(current_user) as role`.execute(db)
  const { rows: found } = await sql<{ schema: string; signature: string; allowed: boolean }>`
    select n.nspname as schema, p.oid::regprocedure::text as signature, has_function_privilege(p.oid, 'execute') as allowed
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    join pg_proc p on p.pronamespace = n.oid and p.proname = 'bt_index_check' and p.pronargs = 2
    where e.extname = 'amcheck'`.execute(db)
  const [amcheck] = found
  const { signature = 'bt_index_check(regclass,boolean)', schema = '' } = amcheck ?? {}
  const grant = `grant execute on function ${signature} to ${me[0]?.role ?? ''}`
  if (!amcheck)
    return {
      cure: `amcheck is not installed: as superuser of this database, "create extension amcheck; ${grant}" ${COMPARES}`,
    }
  if (!amcheck.allowed)
    return { cure: `amcheck may not be used: as superuser of this database, "${grant}" ${COMPARES}` }

  const { rows } = await sql<{ oid: number; name: string }>`
    select c.oid::int as oid, c.relname as name from pg_class c join pg_am a on a.oid = c.relam
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'i' and a.amname = 'btree' and n.nspname = current_schema()`.execute(db)
  const damages: string[] = []
  const notAsked: string[] = []
  for (const { oid, name } of rows) {
    await sql`select ${sql.id(schema, 'bt_index_check')}(${oid}::regclass, true)`
      .execute(db)
      .catch((error: unknown) => {
        const { code = '', message } = error as { code?: string; message: string }
        const said = DAMAGE.has(code) ? damages : notAsked
        said.push(`${name}: ${message}`)
      })
  }
  return { damages, notAsked }
}
