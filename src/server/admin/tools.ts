import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { Clock } from '../platform/clock.ts'

export type Say = (line: string) => void

/** What a command of `npm run admin` works with. */
export interface Tools {
  config: Config
  database: Database
  clock: Clock
  say: Say
}
