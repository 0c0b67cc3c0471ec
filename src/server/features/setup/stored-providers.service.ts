import type { Config } from '#server/config/config.ts'
import { readOrCreateSessionSecret } from '#server/config/session-secret.ts'
import type { Db } from '#server/db/database.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { readProviderSettings } from './provider-settings.queries.ts'

/**
 * The configuration with the providers that officers connected in the console; the environment takes precedence.
 * @throws ConfigError if what was stored no longer fits the environment
 */
export async function withStoredProviders(config: Config, db: Db): Promise<Config> {
  const secret = config.sessionSecret ?? readOrCreateSessionSecret(config.dataDirectory)
  return config.withProviders(await readProviderSettings(db, createSecrets(secret)))
}
