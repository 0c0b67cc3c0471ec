import { randomBytes } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, sql } from 'kysely'
import pg from 'pg'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/db/open-database.ts'
import type { Schema } from '#server/db/schema.ts'

/** Which engine this run proves: each test project sets `TEST_ENGINE`. */
export type TestEngine = 'sqlite' | 'pglite' | 'postgres'

export const testEngine = (process.env['TEST_ENGINE'] ?? 'sqlite') as TestEngine

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** An empty database of its own, gone when closed. */
export async function openTestDatabase(engine: TestEngine = testEngine): Promise<Database> {
  if (engine === 'sqlite') return openDatabase('sqlite::memory:', quiet)
  if (engine === 'pglite') return openPglite()
  return openOnServer()
}

// Starting one takes seconds: a test process has one, emptied for each test. Tests of a file run one after the other.
let sharedPglite: Promise<PGlite> | null = null
let isPgliteInUse = false

async function openPglite(): Promise<Database> {
  sharedPglite ??= PGlite.create()
  const pglite = await sharedPglite
  if (isPgliteInUse)
    throw new Error('PGlite is one database: close the application of one test before the next is made.')
  isPgliteInUse = true
  await pglite.exec('drop schema public cascade; create schema public')
  const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) })
  // Closing the handle would close the shared engine.
  return {
    db,
    engine: 'postgres',
    async close() {
      isPgliteInUse = false
    },
  }
}

/** A schema of its own on the server of `TEST_DATABASE_URL`. */
async function openOnServer(): Promise<Database> {
  const url = process.env['TEST_DATABASE_URL']
  if (!url) throw new Error('TEST_DATABASE_URL is not set: this engine needs a PostgreSQL server.')
  const schema = `test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`create schema ${schema}`)
  const own = new URL(url)
  // What a test wrote need not outlive the machine.
  own.searchParams.set('options', `-c search_path=${schema} -c synchronous_commit=off`)
  const database = openDatabase(own.href, quiet)
  return {
    ...database,
    async close() {
      await database.close()
      await admin.query(`drop schema ${schema} cascade`)
      await admin.end()
    },
  }
}

/** Every row of every table, as text: to prove what is not stored. */
export async function dumpDatabase({ db, engine }: Database): Promise<string> {
  const names =
    engine === 'sqlite'
      ? await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db)
      : await sql<{
          name: string
        }>`select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(db)
  const tables = await Promise.all(
    names.rows.map(async ({ name }) => [name, (await sql`select * from ${sql.table(name)}`.execute(db)).rows]),
  )
  return JSON.stringify(tables)
}
