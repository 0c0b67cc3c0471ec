import type { Config, SiteConfig } from '../config/config.ts'
import { readOrCreateSessionSecret } from '../config/session-secret.ts'
import type { Database } from '../db/database.ts'
import type { Clock } from '#server/lib/clock.ts'
import { createSecrets, type Secrets } from '#server/lib/secrets.ts'

export type Say = (line: string) => void

/** Dependencies of `npm run admin` commands. */
export interface Tools {
  config: SiteConfig
  database: Database
  clock: Clock
  say: Say
}

export type ToolsWithoutDatabase = Omit<Tools, 'database' | 'config'> & { config: Config }

/** The same secrets as the running site. */
export function createSiteSecrets({ sessionSecret, dataDirectory }: Config): Secrets {
  return createSecrets(sessionSecret ?? readOrCreateSessionSecret(dataDirectory))
}
