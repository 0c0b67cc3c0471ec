import { afterEach, beforeEach } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openPreparedDatabase } from './prepared-database.ts'

/** The current time of repository tests. */
export const NOW = Date.UTC(2030, 5, 15, 12)

/** A fresh database for each test of a file, with its tables, and optionally with the content of the sample profile. */
export function useTestDatabase({ seeded = false } = {}): () => Database['db'] {
  let database: Database | null = null
  beforeEach(async () => {
    database = await openPreparedDatabase({ filling: seeded ? 'words' : 'tables', now: NOW })
  })
  afterEach(() => database?.close())
  return () => {
    if (!database) throw new Error('The database is there once the tests run.')
    return database.db
  }
}
