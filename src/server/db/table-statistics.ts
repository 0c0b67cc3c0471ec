import { sql } from 'kysely'
import { engineOf, type Db } from './database.ts'
import { listTables } from './schema/tables.ts'

/**
 * Updates planner statistics after bulk writes. Without them PostgreSQL plans for nearly empty tables, and a 6 ms query takes a second; autovacuum, if enabled,
 * would take minutes. SQLite needs no statistics.
 */
export async function gatherStatistics(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  for (const { name } of await listTables(db)) await sql`analyze ${sql.table(name)}`.execute(db)
}
