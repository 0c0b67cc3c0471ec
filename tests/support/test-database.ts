import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { CamelCaseNames } from '#server/db/camel-case-names.ts'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/db/open-database.ts'
import type { Schema } from '#server/db/schema/schema.ts'

/** The engine of this run: each test project sets `TEST_ENGINE`. */
export type TestEngine = 'sqlite' | 'pglite' | 'postgres'

export const testEngine = (process.env['TEST_ENGINE'] ?? 'sqlite') as TestEngine

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** A new empty database, removed when closed. */
export async function openTestDatabase(engine: TestEngine = testEngine): Promise<Database> {
  if (engine === 'sqlite') return openDatabase('sqlite::memory:', quiet)
  const schema = await openSchema(engine)
  const database = schema.open()
  return {
    ...database,
    async close() {
      await database.close()
      await schema.drop()
    },
  }
}

/** A PostgreSQL schema that no one else uses, initially empty. */
export interface OwnSchema {
  name: string
  /** Whether it can be used in this run. */
  isIdle(): boolean
  /** A handle whose search path is this schema. */
  open(): Database
  drop(): Promise<void>
}

/** The schema name of a run, needed by the cleanup (`tools/postgres-schemas.setup.ts`). */
const newSchemaName = () => `test_${inject('testRun')}_${randomBytes(6).toString('hex')}`

export async function openSchema(engine: 'pglite' | 'postgres'): Promise<OwnSchema> {
  return engine === 'pglite' ? schemaInMemory() : schemaOnServer()
}

interface EngineInMemory {
  pglite: PGlite
  /** It supports one schema at a time. */
  isInUse: boolean
}

// Creating one takes seconds, a copy of it a fraction: a test process has as many as databases open at the same time, mostly one.
const enginesInMemory: EngineInMemory[] = []
const POLL_MS = 50

async function idleEngine(): Promise<EngineInMemory> {
  const idle = enginesInMemory.find(({ isInUse }) => !isInUse)
  if (idle) return idle
  const engine = { pglite: await startEngine(), isInUse: false }
  enginesInMemory.push(engine)
  return engine
}

/** A copy of the one that `tools/postgres-schemas.setup.ts` creates. */
async function startEngine(): Promise<PGlite> {
  const file = inject('emptyPglite')
  while (!existsSync(file)) await sleep(POLL_MS)
  return PGlite.create({ loadDataDir: new Blob([await readFile(file)]) })
}

async function schemaInMemory(): Promise<OwnSchema> {
  const engine = await idleEngine()
  const { pglite } = engine
  const name = newSchemaName()
  await pglite.exec(`create schema ${name}`)
  return {
    name,
    isIdle: () => !engine.isInUse,
    open() {
      if (engine.isInUse) throw new Error('This PGlite means another schema until that one is closed.')
      engine.isInUse = true
      const chosen = pglite.exec(`set search_path = ${name}`)
      const db = new Kysely<Schema>({
        dialect: new PGliteDialect({
          async pglite() {
            await chosen
            return pglite
          },
        }),
        plugins: [new CamelCaseNames()],
      })
      // Closing the handle would close the shared engine.
      return {
        db,
        engine: 'postgres',
        async close() {
          engine.isInUse = false
        },
      }
    },
    drop: async () => void (await pglite.exec(`drop schema ${name} cascade`)),
  }
}

/** On the server of `TEST_DATABASE_URL`. */
async function schemaOnServer(): Promise<OwnSchema> {
  const url = process.env['TEST_DATABASE_URL']
  if (!url) throw new Error('TEST_DATABASE_URL is not set: this engine needs a PostgreSQL server.')
  const name = newSchemaName()
  await onServer(url, `create schema ${name}`)
  const own = new URL(url)
  // Test data need not survive a crash.
  own.searchParams.set('options', `-c search_path=${name} -c synchronous_commit=off`)
  return {
    name,
    isIdle: () => true,
    open: () => openDatabase(own.href, quiet),
    drop: () => onServer(url, `drop schema ${name} cascade`),
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Every row of every table but those named in `except`, as text: to prove that something is not stored. */
export async function dumpDatabase(
  { db, engine }: Database,
  { except = [] }: { except?: readonly string[] } = {},
): Promise<string> {
  const names =
    engine === 'sqlite'
      ? await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db)
      : await sql<{
          name: string
        }>`select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(db)
  const tables = await Promise.all(
    names.rows
      .filter(({ name }) => !except.includes(name))
      .map(async ({ name }) => [name, (await sql`select * from ${sql.table(name)}`.execute(db)).rows]),
  )
  return JSON.stringify(tables)
}

/** The planner's row count for a table of the current schema; -1 when it was never analyzed. */
export async function countedRows({ db }: Database, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select reltuples as rows from pg_class where oid = ${table}::regclass`.execute(db)
  return rows[0]?.rows ?? -1
}
