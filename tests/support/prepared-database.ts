import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase, openSqlite } from '#server/db/open-database.ts'
import { seedEmptyDatabase } from '#server/features/association/seed.ts'
import { keepTables, putTablesBack } from './kept-tables.ts'
import { openSchema, testEngine, type OwnSchema, type TestEngine } from './test-database.ts'

/** `tables`: nothing but the schema. `words`: also what an empty database is filled with, without invented people. */
export type Filling = 'tables' | 'words'

interface Wanted {
  engine?: TestEngine | undefined
  filling: Filling
  /** The instant it says it was made; now, unless the test's clock stands still. */
  now?: number
}

interface Kind {
  key: string
  filling: Filling
  now: number
}

/**
 * A database with its tables that no other test uses meanwhile, as if just made. Making the tables and filling them takes longer than most tests, so a
 * test process does it once for each kind and afterwards puts back what a test changed.
 */
export async function openPreparedDatabase({ engine = testEngine, filling, now }: Wanted): Promise<Database> {
  const kind = { key: `${engine} ${filling} ${now ?? 'today'}`, filling, now: now ?? Date.now() }
  return engine === 'sqlite' ? openSqlite(await sqliteImage(kind)) : openKept(kind, engine)
}

async function fill(database: Database, { filling, now }: Kind): Promise<void> {
  await migrate(database, now)
  if (filling === 'words') await seedEmptyDatabase(database.db, { now, timeZone: 'America/New_York', samples: null })
}

const sqliteImages = new Map<string, Buffer>()

async function sqliteImage(kind: Kind): Promise<Buffer> {
  const made = sqliteImages.get(kind.key)
  if (made) return made
  const directory = mkdtempSync(join(tmpdir(), 'association-prepared-'))
  const file = join(directory, 'prepared.db')
  const database = openDatabase(`sqlite:${file}`, { debug() {}, info() {}, warn() {}, error() {} })
  await fill(database, kind)
  // A file that says it has a write-ahead log cannot be opened as bytes.
  await sql`pragma journal_mode = delete`.execute(database.db)
  await database.close()
  const image = readFileSync(file)
  rmSync(directory, { recursive: true })
  sqliteImages.set(kind.key, image)
  return image
}

/** Schemas that a test has left, to be used again. */
const idle = new Map<string, OwnSchema[]>()

async function openKept(kind: Kind, engine: 'pglite' | 'postgres'): Promise<Database> {
  const left = idle.get(kind.key) ?? []
  idle.set(kind.key, left)
  const at = left.findIndex((schema) => schema.isIdle())
  const known = at === -1 ? undefined : left.splice(at, 1)[0]
  const schema = known ?? (await openSchema(engine))
  const database = schema.open()
  if (known) {
    await putTablesBack(database.db, schema.name)
  } else {
    await fill(database, kind)
    await keepTables(database.db, schema.name)
  }
  return {
    ...database,
    async close() {
      await database.close()
      left.push(schema)
    },
  }
}
