import { sql } from 'kysely'
import { engineOf, type Db } from './database.ts'
import { listTables } from './tables.ts'

/**
 * For whoever has just written many rows. Until PostgreSQL has counted, it plans for tables with next to nothing in them, and a list that takes 6 ms
 * takes a second; it counts by itself within minutes only where autovacuum is on. SQLite plans by its indexes and needs nothing.
 */
export async function gatherStatistics(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  for (const { name } of await listTables(db)) await sql`analyze ${sql.table(name)}`.execute(db)
}
