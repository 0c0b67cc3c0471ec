import type { Config } from '../config/config.ts'
import { readOrMakeSessionSecret } from '../config/session-secret.ts'
import type { Database } from '../db/database.ts'
import type { Clock } from '../platform/clock.ts'
import { createSecrets, type Secrets } from '../platform/secrets.ts'

export type Say = (line: string) => void

/** What a command of `npm run admin` works with. */
export interface Tools {
  config: Config
  database: Database
  clock: Clock
  say: Say
}

export type ToolsWithoutDatabase = Omit<Tools, 'database'>

/** Those of the running site. */
export function secretsOf({ sessionSecret, dataDirectory }: Config): Secrets {
  return createSecrets(sessionSecret ?? readOrMakeSessionSecret(dataDirectory))
}
