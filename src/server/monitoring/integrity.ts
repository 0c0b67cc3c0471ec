import { sql } from 'kysely'
import type { Database, Db } from '#server/db/database.ts'

export interface IntegrityReport {
  /** The checks that ran. */
  checks: string[]
  /** Damage as reported by the database engine: names of tables and indexes, no rows. */
  damage: string[]
  /** The checks that could not run, and why. */
  skipped: string[]
}

/** SQLSTATEs of corrupted data, of a corrupted index, and of disk I/O errors. Any other error leaves the check inconclusive. */
const DAMAGE_SQLSTATES = new Set(['XX001', 'XX002', '58030'])

/**
 * Runs the engine's own checks of its files, indexes and references. Read-only; takes minutes on a large database, so PostgreSQL needs a connection without a
 * statement timeout.
 */
export async function checkIntegrity({ db, engine }: Database): Promise<IntegrityReport> {
  return engine === 'sqlite' ? checkSqlite(db) : checkPostgres(db)
}

async function checkSqlite(db: Db): Promise<IntegrityReport> {
  const { rows: found } = await sql<{ integrityCheck: string }>`pragma integrity_check(20)`.execute(db)
  const { rows: orphans } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db)
  const orphanCounts = new Map<string, number>()
  for (const { table, parent } of orphans)
    orphanCounts.set(`${table} -> ${parent}`, (orphanCounts.get(`${table} -> ${parent}`) ?? 0) + 1)
  return {
    checks: ['integrity_check', 'foreign_key_check'],
    damage: [
      ...found.map((row) => row.integrityCheck).filter((message) => message !== 'ok'),
      ...[...orphanCounts].map(([reference, count]) => `${count} rows reference missing rows: ${reference}`),
    ],
    skipped: [],
  }
}

async function checkPostgres(db: Db): Promise<IntegrityReport> {
  const { rows: unvalidated } = await sql<{ name: string }>`
    select c.conrelid::regclass::text || '.' || c.conname as name from pg_constraint c
    join pg_namespace n on n.oid = c.connamespace where n.nspname = current_schema() and not c.convalidated`.execute(db)
  const { rows: invalidIndexes } = await sql<{ name: string }>`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema() and not (i.indisvalid and i.indisready)`.execute(
    db,
  )
  const damages = [
    ...unvalidated.map(({ name }) => `the constraint ${name} was never validated`),
    ...invalidIndexes.map(({ name }) => `the index ${name} is not valid`),
  ]
  const asked = ['constraints', 'indexes']
  const comparison = await compareIndexes(db)
  if ('cure' in comparison) return { checks: asked, damage: damages, skipped: [comparison.cure] }
  return {
    checks: [...asked, 'amcheck'],
    damage: [...damages, ...comparison.damage],
    skipped: comparison.skipped,
  }
}

const AMCHECK_PURPOSE = 'enables comparing every index with its table'

/** Compares every index with its table, if the superuser has granted access to amcheck. */
async function compareIndexes(db: Db): Promise<Pick<IntegrityReport, 'damage' | 'skipped'> | { cure: string }> {
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
      cure: `amcheck is not installed: as superuser of this database, "create extension amcheck; ${grant}" ${AMCHECK_PURPOSE}`,
    }
  if (!amcheck.allowed)
    return { cure: `amcheck is not permitted: as superuser of this database, "${grant}" ${AMCHECK_PURPOSE}` }

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
        const list = DAMAGE_SQLSTATES.has(code) ? damages : notAsked
        list.push(`${name}: ${message}`)
      })
  }
  return { damage: damages, skipped: notAsked }
}
