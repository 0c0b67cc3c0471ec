import { sql, type Kysely } from 'kysely'
import type { Database } from './database.ts'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema.ts'

interface MigrationTable {
  name: string
  applied_at: number
}

// Any fixed number; it names the lock on a PostgreSQL server that may hold other databases' locks too.
const ADVISORY_LOCK = 1_987_2026

/**
 * Brings the schema up to date. All of it happens in one transaction under a lock, so instances that start together do it once, and an interrupted
 * run leaves the schema as it was. Safe to run at every start.
 * @throws when the database was made by a newer release: going back is refused.
 */
export async function migrate({ db, engine }: Database, now: number): Promise<string[]> {
  const untyped = db as unknown as Kysely<Schema & { migration: MigrationTable }>
  return untyped.transaction().execute(async (tx) => {
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(tx)
    await tx.schema
      .createTable('migration')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.notNull().primaryKey())
      .addColumn('applied_at', 'bigint', (column) => column.notNull())
      .execute()
    const applied = new Set((await tx.selectFrom('migration').select('name').execute()).map((row) => row.name))
    const unknown = [...applied].filter((name) => !(name in migrations))
    if (unknown.length > 0) {
      throw new Error(
        `This database was made by a newer release (it knows ${unknown.join(', ')}). Start that release, or restore a backup made before it.`,
      )
    }
    const pending = Object.keys(migrations)
      .sort()
      .filter((name) => !applied.has(name))
    for (const name of pending) {
      await migrations[name]?.up(tx as unknown as Kysely<unknown>, engine)
      await tx.insertInto('migration').values({ name, applied_at: now }).execute()
    }
    return pending
  })
}
