import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/db/open-database.ts'

/** A database of a row's own: a schema on the server of `TEST_DATABASE_URL`, else one SQLite file. */
export interface OwnDatabase {
  url: string
  engine: 'PostgreSQL' | 'SQLite'
  /** For looking at what is stored; the site writes, tests read. */
  open(): Database
  /** Removes it. */
  remove(): Promise<void>
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

export async function makeDatabase(directory: string): Promise<OwnDatabase> {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) {
    const url = `sqlite:${join(directory, 'association.db')}`
    return { url, engine: 'SQLite', open: () => openDatabase(url, quiet), remove: async () => {} }
  }
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

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
