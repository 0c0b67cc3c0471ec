import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#server/db/database.ts'
import { buildSite } from '#tools/build.ts'
import { SITE_PROCESS } from '#tools/site-process.ts'
import { makeDatabase, makeFile, type OwnDatabase } from './database.ts'
import { ask } from './http.ts'
import { until } from './load.ts'
import { freePort, Program } from './processes.ts'
import { Mailbox } from './mailbox.ts'
import { Provider } from './provider.ts'

const READY_WITHIN_MS = 30_000

/** At least 32 bytes, and known here, so that rows can forge what only its holder could make. */
export const SESSION_SECRET = 'a secret of the trust rows alone, which no site anywhere uses'

export interface WorldOptions {
  /** Instances of the site on one database. */
  instances?: number
  /** As `RATE_LIMITS`; `on` leaves the defaults. */
  rateLimits?: 'off' | 'on' | `x${number}`
  /** Serves the built pages too. */
  pages?: boolean
  /** The one origin links may have; the first instance's address unless given. */
  siteUrl?: string
  environment?: Record<string, string> | ((standinsUrl: string) => Promise<Record<string, string>>)
  nodeOptions?: readonly string[]
  /** Where a database file lies, other than with the rest; the row then runs on SQLite, whatever `TEST_DATABASE_URL` says. */
  databaseDirectory?: string
  /** In place of one on the server of `TEST_DATABASE_URL`, or a SQLite file. */
  database?: OwnDatabase
  /** PostgreSQL server, or null for a SQLite file; that of the run unless given. */
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

  /**
   * Starts it and waits until it says it is ready. Resolves with how long that took, in milliseconds.
   * @param more settings of this start alone
   */
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

  /** What `npm run admin -- …` says to an officer on this machine. Throws when it fails. */
  async admin(...words: string[]): Promise<string> {
    const command = new Program('src/server/admin.ts', this.#environment, { words })
    const status = await command.ended
    if (status !== 0)
      throw new Error(`admin ${words.join(' ')} ended with ${status}: ${command.errors}${command.output}`)
    return command.output
  }

  async isReady(): Promise<boolean> {
    const answer = await ask(this.origin, { path: '/readyz', withinMs: 2_000 }).catch(() => null)
    return answer?.status === 200
  }
}

/** Longer than a site waits between two looks at its jobs. */
const JOBS_LOOK_EVERY_MS = 1_500

/** A running site of one or more instances with stand-ins of its own, on a database of its own. */
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

  /** The instance whose turn it is. */
  siteOf(turn: number): Site {
    return this.sites[turn % this.sites.length] as Site
  }

  get databaseUrl(): string {
    return this.#own.url
  }

  /** A connection of the test's own, for looking at what is stored. */
  get database(): Database {
    this.#database ??= this.#own.open()
    return this.#database
  }

  async control(order: Record<string, unknown>): Promise<void> {
    const answer = await ask(this.standinsUrl, {
      method: 'POST',
      path: '/control',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    })
    if (answer.status !== 200) throw new Error(`The stand-ins do not take ${JSON.stringify(order)}: ${answer.text}`)
  }

  /** Time passes for site and provider; what follows from it is done when this resolves. False when it does not come to an end. */
  async pass(ms: number): Promise<boolean> {
    await this.control({ advanceMs: ms })
    await this.control({ flushWebhooks: true })
    const isQuiet = await this.isQuiet()
    // Jobs look at the clock twice a second: their turn comes, and its effects.
    await new Promise((resolve) => setTimeout(resolve, JOBS_LOOK_EVERY_MS))
    await this.control({ flushWebhooks: true })
    return (await this.isQuiet()) && isQuiet
  }

  /** Waits until the site's outbox has nothing left to do. False when it does not come to an end. */
  async isQuiet(withinMs = 60_000): Promise<boolean> {
    const quiet = await until(async () => (await this.#waitingEffects()) === 0, { withinMs, everyMs: 100 })
    return quiet !== null
  }

  /** The same for what comes before the proof. @throws when the outbox does not come to an end: what is looked at afterwards would not be whole */
  async quiet(): Promise<void> {
    if (!(await this.isQuiet())) throw new Error(`${await this.#waitingEffects()} effects still wait in the outbox`)
  }

  async #waitingEffects(): Promise<number> {
    const { db } = this.database
    const row = await db
      .selectFrom('outbox')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('done_at', 'is', null)
      .where('dead_at', 'is', null)
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
  const more = typeof environment === 'function' ? await environment(standinsUrl) : environment
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
  // What the provider says about the sample members arrives now, not in the middle of a measurement.
  await world.control({ flushWebhooks: true })
  await world.quiet()
  return world
}
