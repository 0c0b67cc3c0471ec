import { sql, type Kysely } from 'kysely'
import type { Database, Db, Engine, Tx } from './database.ts'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema.ts'

interface MigrationTable {
  name: string
  applied_at: number
}

// Any fixed number; with the schema's it names the lock on a PostgreSQL server that may hold other sites' locks too.
const ADVISORY_LOCK = 1_987_2026

/**
 * Brings the schema up to date. All of it happens in one transaction under a lock, so instances that start together do it once, and an interrupted
 * run leaves the schema as it was. Safe to run at every start.
 * @throws when the database was made by a newer release: going back is refused.
 */
export async function migrate({ db, engine }: Database, now: number): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK}, hashtext(current_schema()))`.execute(tx)
    return migrateWithin(tx, engine, now)
  })
}

/**
 * How the schema fits this release: `newer` after another instance has brought it up to a later one, `older` when a step is missing.
 * @throws when the database cannot be asked
 */
export async function compareSchema(db: Db): Promise<'same' | 'newer' | 'older'> {
  const { missing, unknown } = await compareRelease(db)
  if (missing.length > 0) return 'older'
  return unknown.length > 0 ? 'newer' : 'same'
}

/**
 * Takes the lock of `migrate` until the transaction ends, so that no site can start on the database meanwhile; false when another has it. On SQLite
 * every transaction of ours has it.
 */
export async function tryLock(tx: Tx, engine: Engine): Promise<boolean> {
  if (engine === 'sqlite') return true
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${ADVISORY_LOCK}, hashtext(current_schema())) as taken`.execute(tx)
  return rows[0]?.taken === true
}

/**
 * What `migrate` does, for a caller who has its lock.
 * @param upTo the last migration to apply, for a database as an older release left it
 */
export async function migrateWithin(typed: Tx, engine: Engine, now: number, upTo?: string): Promise<string[]> {
  const tx = withMigrations(typed)
  await tx.schema
    .createTable('migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.notNull().primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute()
  const { missing, unknown } = await compareRelease(typed)
  if (unknown.length > 0) {
    throw new Error(
      `This database was made by a newer release (it knows ${unknown.join(', ')}). Start that release, or restore a backup made before it.`,
    )
  }
  const pending = missing.filter((name) => upTo === undefined || name <= upTo)
  for (const name of pending) {
    await migrations[name]?.up(typed as unknown as Kysely<unknown>, engine, now)
    await tx.insertInto('migration').values({ name, applied_at: now }).execute()
  }
  return pending
}

/** The migrations of this release that a database has not had yet, in order, and those it had of which this release knows nothing. */
export async function compareRelease(tx: Db): Promise<{ missing: string[]; unknown: string[] }> {
  const rows = await withMigrations(tx).selectFrom('migration').select('name').execute()
  const applied = new Set(rows.map((row) => row.name))
  return {
    missing: Object.keys(migrations)
      .sort()
      .filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !(name in migrations)),
  }
}

function withMigrations(db: Db): Kysely<Schema & { migration: MigrationTable }> {
  return db as unknown as Kysely<Schema & { migration: MigrationTable }>
}
