import { SqliteAdapter, type Kysely, type Transaction } from 'kysely'
import type { Schema } from './schema/schema.ts'

/** The database, or a transaction on it: repositories accept either and never open their own. */
export type Db = Kysely<Schema> | Transaction<Schema>
export type Tx = Transaction<Schema>

export type Engine = 'sqlite' | 'postgres'

export interface Database {
  db: Kysely<Schema>
  engine: Engine
  /** Current connections to the server; undefined for SQLite. */
  connections?(): { open: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** For the few statements that differ between engines. */
export function engineOf(db: Db): Engine {
  return db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres'
}
