import { sql, type Kysely } from 'kysely'
import type { Database, Db, Engine, Tx } from './database.ts'
import { migrations } from './migrations/index.ts'

interface MigrationTable {
  name: string
  applied_at: number
}

// An arbitrary constant; together with the schema it identifies the lock on a PostgreSQL server shared with other sites.
const ADVISORY_LOCK = 1_987_2026

/**
 * Migrates the schema. Everything runs in one transaction under a lock, so concurrent starts migrate once and an interrupted run changes nothing. Idempotent.
 * @throws Error when the database was migrated by a newer release: downgrades are refused
 */
export async function migrate({ db, engine }: Database, now: number): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK}, hashtext(current_schema()))`.execute(tx)
    return migrateWithin(tx, engine, now)
  })
}

/**
 * Compares the schema with this release: `newer` after another instance has migrated it further, `older` when a migration is missing.
 * @throws when the database cannot be reached
 */
export async function compareSchema(db: Db): Promise<'same' | 'newer' | 'older'> {
  const { missing, unknown } = await compareRelease(db)
  if (missing.length > 0) return 'older'
  return unknown.length > 0 ? 'newer' : 'same'
}

/**
 * Takes the lock of `migrate` until the transaction ends, so that no site can start on the database; returns false when another process holds it. On SQLite
 * every transaction holds it.
 */
export async function tryLock(tx: Tx, engine: Engine): Promise<boolean> {
  if (engine === 'sqlite') return true
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${ADVISORY_LOCK}, hashtext(current_schema())) as taken`.execute(tx)
  return rows[0]?.taken === true
}

/**
 * Like `migrate`, for a caller that holds the lock.
 * @param takeUntil the last migration to apply, to recreate the schema of an older release
 */
export async function migrateWithin(typed: Tx, engine: Engine, now: number, upTo?: string): Promise<string[]> {
  // Migrations name tables and columns as the database does.
  const tx = typed.withoutPlugins()
  const applied = withMigrations(tx)
  await tx.schema
    .createTable('migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.notNull().primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute()
  const { missing, unknown } = await compareRelease(typed)
  if (unknown.length > 0) {
    throw new Error(
      `This database was migrated by a newer release (${unknown.join(', ')}). Start that release, or restore a backup made before it.`,
    )
  }
  const pending = missing.filter((name) => upTo === undefined || name <= upTo)
  for (const name of pending) {
    await migrations[name]?.up(tx as unknown as Kysely<unknown>, engine, now)
    await applied.insertInto('migration').values({ name, applied_at: now }).execute()
  }
  return pending
}

/** The migrations that a database lacks, in order, and those it has that are unknown to this release. */
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

function withMigrations(db: Db): Kysely<{ migration: MigrationTable }> {
  return db as unknown as Kysely<{ migration: MigrationTable }>
}
