import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, type App, type AppOptions } from '#server/app.ts'
import { readConfig, type SiteConfig } from '#server/config/config.ts'
import { withTimeZone } from '#server/features/content-store/region.queries.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { seedEmptyDatabase } from '#server/features/seed/seed.service.ts'
import type { Clock } from '#server/lib/clock.ts'
import { startClosed } from '#server/features/setup/setup.commands.ts'
import { startStandins, type Standins } from '#standins/standins.ts'
import { TestBrowser } from './browser/test-browser.ts'
import { openPreparedDatabase } from './prepared-database.ts'
import type { TestEngine } from './test-database.ts'

export const TEST_SESSION_SECRET = 'a secret for tests, and for tests only, of fair length'

export interface TestAppOptions {
  engine?: TestEngine
  /** Loads sample members too; off by default, since each costs a password hash. */
  samples?: boolean
  /** Settings; those of the stand-ins where their address is needed. */
  environment?: Record<string, string> | ((standins: Standins) => Record<string, string>)
  /** Used instead of a new one; migrated, filled when empty, and closed with the application. */
  database?: Database
  /** The stand-ins of another application, which keep running when this one ends; with `aheadMs`, how far their clock is ahead. */
  standins?: Standins
  aheadMs?: number
  /** Serves the pages of a build, which `makePages` creates; an application without it has only the API. */
  makePages?: AppOptions['makePages']
  /** Begins as a new site that officers have not opened yet. */
  isClosed?: boolean
  /** Fetches pictures of a former website. */
  fetchPicture?: AppOptions['fetchPicture']
  /** Called when the site wants to start again with new settings. */
  onRestart?: () => void
  /** Whether it looks for work and changed content by itself, as a running site does. */
  polling?: boolean
}

/**
 * The whole application in process, on a fresh database, with its own stand-ins and a clock controlled by the test. Effects run when the test calls
 * `drain`, or after each request of a `TestBrowser`.
 */
export interface TestApp extends AsyncDisposable {
  app: App
  config: SiteConfig
  database: Database
  standins: Standins
  /** Origin the application listens on. */
  url: string
  logLines: string[]
  now(): number
  /** Moves the clocks of the application and the stand-ins. */
  advance(ms: number): Promise<void>
  /** Delivers webhooks, runs the outbox and the due jobs, until nothing is left. */
  drain(): Promise<void>
  /** A visitor with a cookie jar and, unless given, a unique address, so that rate limits of tests do not interfere. */
  browser(address?: string): TestBrowser
}

export async function createTestApp({
  engine,
  samples = false,
  environment = {},
  aheadMs = 0,
  makePages = null,
  polling = false,
  isClosed = false,
  onRestart,
  fetchPicture,
  ...given
}: TestAppOptions = {}): Promise<TestApp> {
  const directory = mkdtempSync(join(tmpdir(), 'association-test-'))
  const standins = given.standins ?? (await startTestStandins(directory))
  const environmentConfig = readConfig({
    PORT: '3000',
    SITE_URL: 'http://localhost:3000',
    DATA_DIR: directory,
    STANDINS_URL: standins.url,
    SMTP_URL: standins.smtpUrl,
    MAIL_FROM: 'Georgia Physicians of Indian Origin <office@example.org>',
    LOG_LEVEL: 'info',
    TRUST_PROXY: '1',
    ...(typeof environment === 'function' ? environment(standins) : environment),
  })
  let offset = aheadMs
  const clock: Clock = { now: () => Date.now() + offset, close() {} }
  const filling = samples ? 'tables' : 'words'
  const database = given.database ?? (await openPreparedDatabase({ engine, filling }))
  if (given.database) await migrate(database, clock.now())
  if (samples || given.database) {
    await seedEmptyDatabase(database.db, {
      profile: environmentConfig.profile,
      now: clock.now(),
      timeZone: environmentConfig.timeZone,
      samples: samples ? { makeSubscription: async () => null } : null,
    })
  }
  if (isClosed) await startClosed(database.db, clock.now())
  const config = await withTimeZone(environmentConfig, database.db)
  const logLines: string[] = []
  const app = await createApp({
    config,
    sessionSecret: TEST_SESSION_SECRET,
    database,
    clock,
    polling,
    makePages,
    ...(onRestart && { restart: onRestart }),
    ...(fetchPicture && { fetchPicture }),
    logStream: { write: (line) => void logLines.push(line) },
  })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const address = app.http.server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  standins.setWebhookTarget(`${url}/api/stripe/webhook`)

  async function drain(): Promise<void> {
    await standins.control({ flushWebhooks: true })
    await app.outbox.drain()
    await app.jobs.runDue()
    await standins.control({ flushWebhooks: true })
    await app.mailings.drain()
    await app.outbox.drain()
  }

  const testApp: TestApp = {
    app,
    config,
    database,
    standins,
    url,
    logLines,
    now: clock.now,
    drain,
    async advance(ms) {
      offset += ms
      await standins.control({ advanceMs: ms })
      await app.refreshContent()
    },
    browser: (from = nextAddress()) => new TestBrowser(testApp, from),
    async [Symbol.asyncDispose]() {
      await app.close()
      await database.close()
      if (!given.standins) await standins.close()
      rmSync(directory, { recursive: true, force: true })
      // An unasserted 500 is a failure too.
      const bug = logLines.find((line) => line.includes('unexpected failure'))
      if (bug) throw new Error(`The application met a fault of its own: ${bug}`)
    },
  }
  return testApp
}

export function startTestStandins(directory: string): Promise<Standins> {
  return startStandins({
    directory,
    port: 0,
    smtpPort: 0,
    webhookSecret: 'whsec_standin',
    clockFile: null,
    persist: false,
  })
}

let visitors = 0

function nextAddress(): string {
  visitors++
  return `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`
}
