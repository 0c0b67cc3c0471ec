import { SqliteAdapter, type Kysely, type Transaction } from 'kysely'
import type { Schema } from './schema.ts'

/** The database, or a transaction on it: repositories take either and never open their own. */
export type Db = Kysely<Schema> | Transaction<Schema>
export type Tx = Transaction<Schema>

export type Engine = 'sqlite' | 'postgres'

export interface Database {
  db: Kysely<Schema>
  engine: Engine
  /** Connections to a server, now; left out where there is only a file. */
  connections?(): { open: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** For the few statements that each engine says differently. */
export function engineOf(db: Db): Engine {
  return db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres'
}
