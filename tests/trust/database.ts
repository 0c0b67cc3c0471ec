import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/db/open-database.ts'

export type Engine = 'PostgreSQL' | 'SQLite'

/** A database for one row: a schema on the server of `TEST_DATABASE_URL`, otherwise a SQLite file. */
export interface OwnDatabase {
  url: string
  engine: Engine
  /** For reading stored data; the site writes, tests read. */
  open(): Database
  /** Removes it. */
  remove(): Promise<void>
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** The PostgreSQL server of this run; null when it has none. */
export function testServer(): string | null {
  return process.env['TEST_DATABASE_URL'] || null
}

/** For rows that test both engines: SQLite, and PostgreSQL if there is a server. */
export function testServers(): (string | null)[] {
  return [...new Set([null, testServer()])]
}

/** @param server of PostgreSQL; null for a SQLite file in the directory */
export async function makeDatabase(directory: string, server = testServer()): Promise<OwnDatabase> {
  if (server === null) return makeFile(directory)
  const schema = `trust_${randomBytes(6).toString('hex')}`
  await administer(server, `create schema ${schema}`)
  const own = new URL(server)
  own.searchParams.set('options', `-c search_path=${schema}`)
  const url = own.href.replace(/\+/g, '%20')
  return {
    url,
    engine: 'PostgreSQL',
    open: () => openDatabase(url, quiet),
    remove: () => administer(server, `drop schema ${schema} cascade`),
  }
}

/** One SQLite file; removed with its folder. */
export function makeFile(directory: string): OwnDatabase {
  const url = `sqlite:${join(directory, 'association.db')}`
  return { url, engine: 'SQLite', open: () => openDatabase(url, quiet), remove: async () => {} }
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
