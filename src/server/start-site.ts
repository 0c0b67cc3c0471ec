import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, type App } from './app.ts'
import type { Config } from './config/config.ts'
import { readOrMakeSessionSecret } from './config/session-secret.ts'
import { imageOrigins } from './media/s3-store.ts'
import { linkSamplePortraits } from './features/media/sample-portraits.ts'
import { addSamplePictures } from './media/sample-pictures.ts'
import { createPages } from './pages/pages.ts'
import { prepareDatabase } from './prepare-database.ts'
import { createAdvanceableClock, systemClock } from './platform/clock.ts'
import { favourAnswers } from './platform/thread-priority.ts'

const STOP_WITHIN_MS = 15_000

/** Migrates, fills an empty database, and serves until SIGTERM or SIGINT. */
export async function startSite(config: Config): Promise<App> {
  const sessionSecret = config.sessionSecret ?? readOrMakeSessionSecret(config.dataDirectory)
  const clock = config.standinsUrl ? createAdvanceableClock(config.dataDirectory) : systemClock
  const database = await prepareDatabase(config, clock.now())
  if (await addSamplePictures(config)) await linkSamplePortraits(database.db)
  const { buildDirectory } = config
  const app = await createApp({
    config,
    sessionSecret,
    database,
    clock,
    polling: true,
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
  let stopping = false
  async function stop(): Promise<void> {
    if (stopping) return
    stopping = true
    app.leave()
    // Proxies look now and then: until they have seen it, visitors still come.
    await sleep(config.stopGraceMs)
    // A connection that never ends must not keep the process.
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    await app.close()
    await database.close()
    clock.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
  // `npm start` is gone or asks to stop.
  process.once('disconnect', () => void stop())

  try {
    await app.http.listen({ port: config.port, host: config.host })
  } catch (error) {
    await app.close()
    await database.close()
    throw error
  }
  await favourAnswers()
  return app
}
