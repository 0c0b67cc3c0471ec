import { ConfigError, type Config } from '#server/config/config.ts'
import { readOrCreateSessionSecret } from '#server/config/session-secret.ts'
import type { Db } from '#server/db/database.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { findProvidersSavedAt, listProviderNames, readProviderSettings } from './provider-settings.queries.ts'

/**
 * The configuration with the providers that officers connected in the console; the environment takes precedence.
 * @throws ConfigError if what was stored no longer fits the environment
 */
export async function withStoredProviders(config: Config, db: Db): Promise<Config> {
  const values = await readStored(config, db)
  try {
    return config.withProviders(values)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const names = Object.keys(values).join(', ')
    throw new ConfigError([
      ...error.lines,
      `Officers stored ${names} in the console. To use other values, set all of them in the environment, which takes precedence.`,
    ])
  }
}

/** The provider settings without which an open site does not start, one line each, with the fix. */
export async function explainMissingProviders(config: Config, db: Db): Promise<string[]> {
  if (config.missingProviders.length === 0) return []
  const readable = await readStored(config, db)
  const unreadable = (await listProviderNames(db)).filter((name) => readable[name] === undefined)
  if (unreadable.length === 0) return [...config.missingProviders]
  return [
    ...config.missingProviders,
    `Officers stored ${unreadable.join(', ')} in the console, under another session secret: start with that one, or set them in the environment.`,
  ]
}

/**
 * Calls `onChange` once when another instance has stored settings of a provider. Returns what ends the watch.
 * @param savedAt of the settings that this process uses
 */
export function watchStoredProviders(
  db: Db,
  { savedAt, everyMs, onChange }: { savedAt: number | null; everyMs: number; onChange(): void },
): () => void {
  // A slow database may answer two turns at once.
  let isOver = false
  const timer = setInterval(() => {
    findProvidersSavedAt(db)
      .then((now) => {
        if (now === savedAt || isOver) return
        end()
        onChange()
      })
      // Without the database, the next turn asks again.
      .catch(() => {})
  }, everyMs)
  timer.unref()
  return end

  function end(): void {
    isOver = true
    clearInterval(timer)
  }
}

function readStored({ sessionSecret, dataDirectory }: Config, db: Db) {
  return readProviderSettings(db, createSecrets(sessionSecret ?? readOrCreateSessionSecret(dataDirectory)))
}
