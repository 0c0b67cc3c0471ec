import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase, openSqlite } from '#server/db/open-database.ts'
import { SAMPLE_PROFILE } from '#server/config/profiles.ts'
import { seedEmptyDatabase } from '#server/features/seed/seed.service.ts'
import { snapshotTables, restoreTables } from './table-snapshots.ts'
import { openSchema, testEngine, type OwnSchema, type TestEngine } from './test-database.ts'

/** `tables`: only the schema. `words`: also the shipped content, without sample people. */
export type Filling = 'tables' | 'words'

interface Wanted {
  engine?: TestEngine | undefined
  filling: Filling
  /** The time at which it claims to be created; now, unless the test's clock is fixed. */
  now?: number
}

interface Kind {
  key: string
  filling: Filling
  now: number
}

/**
 * A database with its tables, used by no other test at the same time, as if just created. Creating and filling the tables takes longer than most tests,
 * so a test process does it once for each kind and then restores what a test changed.
 */
export async function openPreparedDatabase({ engine = testEngine, filling, now }: Wanted): Promise<Database> {
  const kind = { key: `${engine} ${filling} ${now ?? 'today'}`, filling, now: now ?? Date.now() }
  return engine === 'sqlite' ? openSqlite(await sqliteImage(kind)) : openKept(kind, engine)
}

async function fill(database: Database, { filling, now }: Kind): Promise<void> {
  await migrate(database, now)
  if (filling === 'words')
    await seedEmptyDatabase(database.db, { profile: SAMPLE_PROFILE, now, timeZone: 'America/New_York', samples: null })
}

const sqliteImages = new Map<string, Buffer>()

async function sqliteImage(kind: Kind): Promise<Buffer> {
  const made = sqliteImages.get(kind.key)
  if (made) return made
  const directory = mkdtempSync(join(tmpdir(), 'association-prepared-'))
  const file = join(directory, 'prepared.db')
  const database = openDatabase(`sqlite:${file}`, { debug() {}, info() {}, warn() {}, error() {} })
  await fill(database, kind)
  // A file with a write-ahead log cannot be opened from bytes.
  await sql`pragma journal_mode = delete`.execute(database.db)
  await database.close()
  const image = readFileSync(file)
  rmSync(directory, { recursive: true })
  sqliteImages.set(kind.key, image)
  return image
}

/** Schemas of finished tests, to be reused. */
const idle = new Map<string, OwnSchema[]>()

async function openKept(kind: Kind, engine: 'pglite' | 'postgres'): Promise<Database> {
  const left = idle.get(kind.key) ?? []
  idle.set(kind.key, left)
  const at = left.findIndex((schema) => schema.isIdle())
  const known = at === -1 ? undefined : left.splice(at, 1)[0]
  const schema = known ?? (await openSchema(engine))
  const database = schema.open()
  if (known) {
    await restoreTables(database.db, schema.name)
  } else {
    await fill(database, kind)
    await snapshotTables(database.db, schema.name)
  }
  return {
    ...database,
    async close() {
      await database.close()
      left.push(schema)
    },
  }
}
