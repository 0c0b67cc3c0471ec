import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'
import type * as Pg from 'pg'
import type { Log } from '../platform/logger.ts'
import type { Database } from './database.ts'
import { PacedSqliteDialect } from './paced-sqlite.ts'
import type { Schema } from './schema.ts'

const BUSY_TIMEOUT_MS = 5_000
const POOL_SIZE = 16
const CONNECT_TIMEOUT_MS = 3_000
// A server that does not answer must not hold a request for ever.
const STATEMENT_TIMEOUT_MS = 10_000
/** So much later than its own limit a server that said nothing is taken for silent. */
const SILENT_AFTER_MS = 1_000

/**
 * Opens `sqlite:PATH` or `postgres://…`. PostgreSQL connects on first use; SQLite throws here when the file cannot be opened.
 * @param statementTimeoutMs null gives every statement all the time it needs, for a command that reads whole tables
 */
export function openDatabase(
  databaseUrl: string,
  log: Log,
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS }: { statementTimeoutMs?: number | null } = {},
): Database {
  return databaseUrl.startsWith('sqlite:')
    ? openSqlite(databaseUrl.slice('sqlite:'.length))
    : openPostgres(databaseUrl, log, statementTimeoutMs)
}

/** @param source a path, `:memory:`, or a whole database as bytes, which is then opened in memory */
export function openSqlite(source: string | Buffer): Database {
  if (typeof source === 'string' && source !== ':memory:') mkdirSync(dirname(source), { recursive: true })
  const file = new Sqlite(source, { timeout: BUSY_TIMEOUT_MS })
  file.pragma('journal_mode = WAL')
  file.pragma('synchronous = FULL')
  file.pragma('foreign_keys = ON')
  const db = new Kysely<Schema>({ dialect: new PacedSqliteDialect({ database: withPreparedStatements(file) }) })
  return { db, engine: 'sqlite', close: () => db.destroy() }
}

/**
 * Keeps prepared statements, and begins every transaction as a writer: one that read first and then wrote would fail at once when another process
 * had written in between, however long the busy timeout.
 */
function withPreparedStatements(file: Sqlite.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => void file.close(),
    prepare(sql) {
      let statement = statements.get(sql)
      if (!statement) {
        const prepared = file.prepare(sql === 'begin' ? 'begin immediate' : sql) as unknown as SqliteStatement
        statement = sql === 'rollback' ? unlessRolledBack(file, prepared) : prepared
        statements.set(sql, statement)
      }
      return statement
    },
  }
}

/**
 * A full disk ends a transaction by itself: rolling it back once more would fail, and that failure would take the place of the one that says why
 *.
 */
function unlessRolledBack(file: Sqlite.Database, rollback: SqliteStatement): SqliteStatement {
  return {
    reader: false,
    all: () => [],
    iterate: () => [][Symbol.iterator](),
    run: (parameters) => (file.inTransaction ? rollback.run(parameters) : { changes: 0, lastInsertRowid: 0 }),
  }
}

/**
 * After its `query_timeout` pg hands the connection back as if nothing were the matter, and whoever gets it next waits as long for nothing: until the
 * system gives the connection up, a quarter of an hour when a host was lost. Ended, it leaves the pool.
 */
function endWhenSilent(client: Pg.PoolClient): void {
  const ask = client.query.bind(client) as (...words: unknown[]) => Promise<unknown>
  client.query = ((...words: unknown[]) => {
    const answer = ask(...words)
    answer.catch((error: unknown) => {
      if ((error as Error).message === 'Query read timeout') void client.end()
    })
    return answer
  }) as typeof client.query
}

// Counts and instants are bigint columns; all of ours fit a double exactly.
const BIGINT_OID = 20

function openPostgres(connectionString: string, log: Log, timeoutMs: number | null): Database {
  // Whoever has one file never loads it.
  const pg = createRequire(import.meta.url)('pg') as typeof Pg
  const pool = new pg.Pool({
    connectionString,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The server's limit, and for a server that is silent our own.
    ...(timeoutMs !== null && { statement_timeout: timeoutMs, query_timeout: timeoutMs + SILENT_AFTER_MS }),
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  })
  // A connection that the server closed; the pool opens another. Its own listener tells.
  const tell = (error: Error) => log.warn({ code: (error as { code?: string }).code }, 'database connection lost')
  pool.on('error', () => {})
  // One that a transaction holds between two statements has no other listener, and without one its end would be the end of the process.
  pool.on('connect', (client) => {
    client.on('error', tell)
    endWhenSilent(client)
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    engine: 'postgres',
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => db.destroy(),
  }
}
