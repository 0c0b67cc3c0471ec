import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClock, type Clock } from '#standins/clock.ts'
import type { Database } from '#server/db/database.ts'
import { buildSite } from '#tools/build.ts'
import { SITE_PROCESS } from '#tools/site/site-process.ts'
import { makeDatabase, makeFile, type OwnDatabase } from './database.ts'
import { request } from './http.ts'
import { until } from './load.ts'
import { freePort, Program } from './faults/processes.ts'
import { Mailbox } from './mailbox.ts'
import { Provider } from './provider.ts'

const READY_WITHIN_MS = 30_000

/** At least 32 bytes, and known here, so that rows can forge what only its holder could create. */
export const SESSION_SECRET = 'a secret of the trust rows alone, which no site anywhere uses'

export interface WorldOptions {
  /** Instances of the site on one database. */
  instances?: number
  /** The setting `RATE_LIMITS`; `on` keeps the defaults. */
  rateLimits?: 'off' | 'on' | `x${number}`
  /** Serves the built pages too. */
  pages?: boolean
  /** The only origin allowed in links; by default the first instance's. */
  siteUrl?: string
  environment?: Record<string, string> | ((standinsUrl: string, smtpPort: number) => Promise<Record<string, string>>)
  nodeOptions?: readonly string[]
  /** Path of the database file, if not with the rest; the row then runs on SQLite, regardless of `TEST_DATABASE_URL`. */
  databaseDirectory?: string
  /** Used instead of a database on the server of `TEST_DATABASE_URL`, or a SQLite file. */
  database?: OwnDatabase
  /** PostgreSQL server, or null for a SQLite file; by default that of the run. */
  server?: string | null
}

/** One process of the site. */
export class Site {
  readonly origin: string
  readonly #environment: Record<string, string>
  readonly #nodeOptions: readonly string[]
  #program: Program | null = null

  constructor(origin: string, environment: Record<string, string>, nodeOptions: readonly string[]) {
    this.origin = origin
    this.#environment = environment
    this.#nodeOptions = nodeOptions
  }

  get program(): Program {
    if (!this.#program) throw new Error('The site was not started')
    return this.#program
  }

  /** The same settings on another machine. */
  elsewhere(origin: string, changes: Record<string, string>): Site {
    return new Site(origin, { ...this.#environment, ...changes }, this.#nodeOptions)
  }

  /** Starts it and waits until it is ready. Resolves with the duration in milliseconds. @param more settings for this start only */
  async start(more: Record<string, string> = {}): Promise<number> {
    const startedAt = performance.now()
    const program = new Program(
      'src/server/main.ts',
      { ...SITE_PROCESS.environment, ...this.#environment, ...more },
      { nodeOptions: [...SITE_PROCESS.nodeOptions, ...this.#nodeOptions] },
    )
    this.#program = program
    const ready = await until(async () => program.hasEnded || (await this.isReady()), {
      withinMs: READY_WITHIN_MS,
      everyMs: 25,
    })
    if (!ready || program.hasEnded) throw new Error(`The site did not start:\n${program.errors}\n${program.output}`)
    return performance.now() - startedAt
  }

  /** The output of `npm run admin -- …` on this machine. @throws when it fails */
  async admin(...words: string[]): Promise<string> {
    const command = new Program('src/server/admin.ts', this.#environment, { words })
    const status = await command.ended
    if (status !== 0)
      throw new Error(`admin ${words.join(' ')} ended with ${status}: ${command.errors}${command.output}`)
    return command.output
  }

  async isReady(): Promise<boolean> {
    const response = await request(this.origin, { path: '/readyz', withinMs: 2_000 }).catch(() => null)
    return response?.status === 200
  }
}

/** Longer than the interval at which a site checks its jobs. */
const JOBS_LOOK_EVERY_MS = 1_500

/** A running site of one or more instances with its own stand-ins and database. */
export class World {
  readonly sites: readonly Site[]
  readonly siteUrl: string
  readonly provider: Provider
  readonly mailbox: Mailbox
  readonly standinsUrl: string
  readonly smtpPort: number
  readonly standins: Program
  readonly directory: string
  readonly engine: string
  readonly #own: OwnDatabase
  #database: Database | null = null

  constructor(parts: {
    sites: readonly Site[]
    siteUrl: string
    standinsUrl: string
    smtpPort: number
    standins: Program
    directory: string
    own: OwnDatabase
  }) {
    this.sites = parts.sites
    this.siteUrl = parts.siteUrl
    this.standinsUrl = parts.standinsUrl
    this.smtpPort = parts.smtpPort
    this.standins = parts.standins
    this.directory = parts.directory
    this.engine = parts.own.engine
    this.#own = parts.own
    this.provider = new Provider(parts.standinsUrl)
    this.mailbox = new Mailbox(parts.standinsUrl)
  }

  /** The first instance. */
  get site(): Site {
    return this.sites[0] as Site
  }

  /** The next instance in rotation. */
  siteOf(turn: number): Site {
    return this.sites[turn % this.sites.length] as Site
  }

  get databaseUrl(): string {
    return this.#own.url
  }

  /** The test's own connection, for reading stored data. */
  get database(): Database {
    this.#database ??= this.#own.open()
    return this.#database
  }

  async control(order: Record<string, unknown>): Promise<void> {
    const response = await request(this.standinsUrl, {
      method: 'POST',
      path: '/control',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    })
    if (response.status !== 200) throw new Error(`The stand-ins do not take ${JSON.stringify(order)}: ${response.text}`)
  }

  /** Advances the clock of site and provider; resolves when the consequences are done. False when it does not drain. */
  async pass(ms: number): Promise<boolean> {
    await this.control({ advanceMs: ms })
    await this.control({ flushWebhooks: true })
    const isQuiet = await this.isQuiet()
    // Jobs check the clock twice a second: waits for them and their effects.
    await new Promise((resolve) => setTimeout(resolve, JOBS_LOOK_EVERY_MS))
    await this.control({ flushWebhooks: true })
    return (await this.isQuiet()) && isQuiet
  }

  /** Waits until the site's outbox has nothing left but what is planned for later. False when it does not drain. */
  async isQuiet(withinMs = 60_000): Promise<boolean> {
    const dueBefore = this.#clock().now() + withinMs
    const quiet = await until(async () => (await this.#waitingEffects(dueBefore)) === 0, { withinMs, everyMs: 100 })
    return quiet !== null
  }

  /** The same for set-up steps. @throws when the outbox does not drain, since later checks would be incomplete */
  async quiet(): Promise<void> {
    if (await this.isQuiet()) return
    throw new Error(`${await this.#waitingEffects(this.#clock().now())} effects still wait in the outbox`)
  }

  /** The clock of site and stand-ins. */
  #clock(): Clock {
    return openClock(join(this.directory, 'clock.json'))
  }

  /** Counts the effects that are due before an instant, and those that failed and will be retried. */
  async #waitingEffects(dueBefore: number): Promise<number> {
    const { db } = this.database
    const row = await db
      .selectFrom('outbox')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('doneAt', 'is', null)
      .where('deadAt', 'is', null)
      .where((eb) => eb.or([eb('dueAt', '<=', dueBefore), eb('attempts', '>', 0)]))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }

  async close(): Promise<void> {
    await Promise.all(this.sites.map((site) => site.program.stop()))
    await this.standins.stop()
    await this.#database?.close()
    await this.#own.remove()
    rmSync(this.directory, { recursive: true, force: true })
  }
}

/** Starts stand-ins and site, and waits until every instance is ready. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { instances = 1, rateLimits = 'off', pages = false, environment = {}, nodeOptions = [] } = options
  const directory = mkdtempSync(join(tmpdir(), 'association-trust-'))
  const { databaseDirectory } = options
  const own =
    options.database ??
    (databaseDirectory ? makeFile(databaseDirectory) : await makeDatabase(directory, options.server))
  const build = pages ? await buildSite({ log: () => {} }) : null
  const standinsPort = await freePort()
  const smtpPort = await freePort()
  const ports: number[] = []
  for (let instance = 0; instance < instances; instance++) ports.push(await freePort())
  const origins = ports.map((port) => `http://localhost:${port}`)
  const siteUrl = options.siteUrl ?? origins[0] ?? ''
  const standins = new Program('standins/main.ts', {
    STANDINS_PORT: String(standinsPort),
    SMTP_STANDIN_PORT: String(smtpPort),
    DATA_DIR: directory,
    SITE_URL: siteUrl,
    STANDINS_WEBHOOK_URLS: origins.map((origin) => `${origin}/api/stripe/webhook`).join(','),
  })
  const standinsUrl = `http://localhost:${standinsPort}`
  const ready = await until(async () => standins.hasEnded || standins.output.includes('ready'), { withinMs: 15_000 })
  if (!ready || standins.hasEnded) throw new Error(`The stand-ins did not start:\n${standins.errors}`)
  const more = typeof environment === 'function' ? await environment(standinsUrl, smtpPort) : environment
  const sites = ports.map(
    (port, turn) =>
      new Site(
        origins[turn] as string,
        {
          PORT: String(port),
          DATA_DIR: directory,
          DATABASE_URL: own.url,
          SITE_URL: siteUrl,
          STANDINS_URL: standinsUrl,
          SMTP_STANDIN_PORT: String(smtpPort),
          SESSION_SECRET,
          TRUST_PROXY: '1',
          LOG_LEVEL: 'warn',
          SAMPLES: 'few',
          ...(build && { BUILD_DIR: build.directory }),
          ...(rateLimits !== 'on' && { RATE_LIMITS: rateLimits }),
          ...more,
        },
        nodeOptions,
      ),
  )
  const world = new World({ sites, siteUrl, standinsUrl, smtpPort, standins, directory, own })
  // The first migrates and fills the database; the others find it ready.
  for (const site of sites) await site.start()
  // The provider's events about the sample members arrive now, not during a measurement.
  await world.control({ flushWebhooks: true })
  await world.quiet()
  return world
}
