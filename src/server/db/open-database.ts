import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'
import type * as Pg from 'pg'
import type { Log } from '#server/lib/logger.ts'
import { CamelCaseNames } from './camel-case-names.ts'
import type { Database } from './database.ts'
import { YieldingSqliteDialect } from './yielding-sqlite.ts'
import type { Schema } from './schema/schema.ts'

const BUSY_TIMEOUT_MS = 5_000
const POOL_SIZE = 16
const CONNECT_TIMEOUT_MS = 3_000
// An unresponsive server must not block a request forever.
const STATEMENT_TIMEOUT_MS = 10_000
/** Grace period after the statement timeout before the server counts as unresponsive. */
const TIMEOUT_GRACE_MS = 1_000

/**
 * Opens `sqlite:PATH` or `postgres://…`. PostgreSQL connects on first use; SQLite throws here when the file cannot be opened.
 * @param statementTimeoutMs null disables the timeout, for commands that read whole tables
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

/** @param source a path, `:memory:`, or a database as bytes, opened in memory */
export function openSqlite(source: string | Buffer): Database {
  if (typeof source === 'string' && source !== ':memory:') mkdirSync(dirname(source), { recursive: true })
  const file = new Sqlite(source, { timeout: BUSY_TIMEOUT_MS })
  file.pragma('journal_mode = WAL')
  file.pragma('synchronous = FULL')
  file.pragma('foreign_keys = ON')
  const db = new Kysely<Schema>({
    dialect: new YieldingSqliteDialect({ database: withPreparedStatements(file) }),
    plugins: [new CamelCaseNames()],
  })
  return { db, engine: 'sqlite', close: () => db.destroy() }
}

/**
 * Caches prepared statements, and begins every transaction with a write lock: a transaction that reads first and then writes would fail immediately if another
 * process wrote in between, regardless of the busy timeout.
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

/** A full disk rolls a transaction back automatically: rolling back again would fail, and that error would hide the original one. */
function unlessRolledBack(file: Sqlite.Database, rollback: SqliteStatement): SqliteStatement {
  return {
    reader: false,
    all: () => [],
    iterate: () => [][Symbol.iterator](),
    run: (parameters) => (file.inTransaction ? rollback.run(parameters) : { changes: 0, lastInsertRowid: 0 }),
  }
}

/**
 * After its `query_timeout` pg returns the connection to the pool, where the next query would hang as well, up to a quarter of an hour when a host is lost.
 * Ending the connection removes it from the pool.
 */
function endAfterTimeout(client: Pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  client.query = ((...args: unknown[]) => {
    const result = query(...args)
    result.catch((error: unknown) => {
      if ((error as Error).message === 'Query read timeout') void client.end()
    })
    return result
  }) as typeof client.query
}

// Counts and timestamps are bigint columns; all of ours fit a double exactly.
const BIGINT_OID = 20

function openPostgres(connectionString: string, log: Log, timeoutMs: number | null): Database {
  // Loaded lazily: SQLite sites never need it.
  const pg = createRequire(import.meta.url)('pg') as typeof Pg
  const pool = new pg.Pool({
    connectionString,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The server's limit, and a client-side limit for an unresponsive server.
    ...(timeoutMs !== null && { statement_timeout: timeoutMs, query_timeout: timeoutMs + TIMEOUT_GRACE_MS }),
    keepAlive: true,
    // Compiling a query of a list takes longer than running it, 100 ms and more once its tables are large.
    verify: (client, done) => void client.query('set jit = off').then(() => done(), done),
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  })
  // The server closed the connection and the pool opens another. The connection's own listener logs it.
  const logLostConnection = (error: Error) =>
    log.warn({ code: (error as { code?: string }).code }, 'database connection lost')
  pool.on('error', () => {})
  // A connection held by a transaction between two statements has no other listener, and an unhandled error would end the process.
  pool.on('connect', (client) => {
    client.on('error', logLostConnection)
    endAfterTimeout(client)
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCaseNames()] })
  return {
    db,
    engine: 'postgres',
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => db.destroy(),
  }
}
