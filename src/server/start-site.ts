import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, type App } from './app.ts'
import { RESTART_STATUS } from './config/restart-status.ts'
import { ConfigError, type Config } from './config/config.ts'
import { claimDemoFolder } from './config/demo-folder.ts'
import { readOrCreateSessionSecret } from './config/session-secret.ts'
import { imageOrigins } from './media-store/s3-store.ts'
import { addProfileDocuments } from './features/seed/profile-documents.service.ts'
import { addSamplePictures } from './features/seed/sample-pictures.service.ts'
import { issueSetupUrl } from './features/setup/setup-code.service.ts'
import { isSiteOpen } from './features/setup/setup.queries.ts'
import { findProvidersSavedAt } from './features/setup/provider-settings.queries.ts'
import {
  explainMissingProviders,
  watchStoredProviders,
  withStoredProviders,
} from './features/setup/stored-providers.service.ts'
import { createPages } from './pages/pages.ts'
import { prepareDatabase } from './prepare-database.ts'
import { connectOnlyToThisMachine } from './lib/loopback-only.ts'
import { createAdvanceableClock, systemClock } from './lib/clock.ts'

const FORCE_EXIT_AFTER_MS = 15_000
/** How soon an instance uses providers that were connected on another one. */
const WATCH_EVERY_MS = 10_000

/** Migrates, seeds an empty database, and serves until SIGTERM or SIGINT. */
export async function startSite(given: Config): Promise<App> {
  if (given.demo) {
    claimDemoFolder(given.dataDirectory)
    connectOnlyToThisMachine()
  }
  const sessionSecret = given.sessionSecret ?? readOrCreateSessionSecret(given.dataDirectory)
  const clock = given.standinsUrl ? createAdvanceableClock(given.dataDirectory) : systemClock
  const database = await prepareDatabase(given, clock.now())
  // Read before the settings, so that none of another instance is missed.
  const savedAt = await findProvidersSavedAt(database.db)
  const config = await withStoredProviders(given, database.db)
  const missing = await explainMissingProviders(config, database.db)
  if (missing.length > 0 && (await isSiteOpen(database.db))) {
    await database.close()
    throw new ConfigError(missing)
  }
  // Before the application, which reads it once a second.
  const setupUrl = await issueSetupUrl(database.db, {
    siteUrl: config.siteUrl,
    now: clock.now(),
    keepsCurrent: true,
  })
  await addSamplePictures(database.db, config)
  await addProfileDocuments(database.db, config, clock.now())
  const { buildDirectory } = config
  const app = await createApp({
    config,
    sessionSecret,
    database,
    clock,
    polling: true,
    restart: () => void stop(RESTART_STATUS),
    makePages: buildDirectory
      ? ({ log, ...tools }) =>
          createPages({
            ...tools,
            buildDirectory,
            siteUrl: config.siteUrl,
            clock,
            log,
            imageOrigins: config.storage ? imageOrigins(config.storage) : [],
          })
      : null,
  })
  for (const warning of config.warnings) {
    app.http.log.warn(warning)
    process.stderr.write(`\n*** ${warning}\n\n`)
  }
  const endWatch = watchStoredProviders(database.db, {
    savedAt,
    everyMs: WATCH_EVERY_MS,
    onChange: () => void stop(RESTART_STATUS),
  })
  let stopping = false
  async function stop(status = 0): Promise<void> {
    if (stopping) return
    stopping = true
    endWatch()
    app.drain()
    // Proxies poll `/readyz` at intervals: until they notice, they still route visitors here.
    await sleep(config.stopGraceMs)
    // Exit even if a connection never closes.
    setTimeout(() => process.exit(status || 1), FORCE_EXIT_AFTER_MS).unref()
    await app.close()
    await database.close()
    clock.close()
    process.exit(status)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
  // `npm start` exited or asks this process to stop.
  process.once('disconnect', () => void stop())

  try {
    await app.http.listen({ port: config.port, host: config.host })
  } catch (error) {
    await app.close()
    await database.close()
    throw error
  }
  if (setupUrl) process.stderr.write(`\n*** This site is not set up yet. Within an hour, open ${setupUrl}\n\n`)
  return app
}
