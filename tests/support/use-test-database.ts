import { afterEach, beforeEach } from 'vitest'
import { seedEmptyDatabase } from '#server/features/association/seed.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openTestDatabase } from './test-database.ts'

/** The instant that repository tests call now. */
export const NOW = Date.UTC(2030, 5, 15, 12)

/** A fresh database for each test of a file, with its tables, and with the words of `content/` when asked. */
export function useTestDatabase({ seeded = false } = {}): () => Database['db'] {
  let database: Database | null = null
  beforeEach(async () => {
    database = await openTestDatabase()
    await migrate(database, NOW)
    if (seeded) await seedEmptyDatabase(database.db, { now: NOW, timeZone: 'America/New_York', samples: null })
  })
  afterEach(() => database?.close())
  return () => {
    if (!database) throw new Error('The database is there once the tests run.')
    return database.db
  }
}
