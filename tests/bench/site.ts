import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from '#tests/trust/http.ts'
import { SITE_PROCESS } from '#tools/site/site-process.ts'
import { findPorts, startOurs, type Program } from './programs.ts'

const WITHIN_MS = 30_000
const LOOK_EVERY_MS = 4

export interface BenchSiteOptions {
  environment?: Record<string, string>
}

/** The built site with its own stand-ins and SQLite database, as `npm start` runs it, but without rate limits. */
export class BenchSite {
  /** Without a trailing slash. */
  readonly url: string
  readonly standinsUrl: string
  readonly directory: string
  readonly environment: Record<string, string>
  #standins: Program | null = null
  #site: Program | null = null

  constructor(
    ports: { site: number; standins: number; smtp: number },
    buildDirectory: string,
    more: Record<string, string>,
  ) {
    this.url = `http://localhost:${ports.site}`
    this.standinsUrl = `http://localhost:${ports.standins}`
    this.directory = mkdtempSync(join(tmpdir(), 'association-bench-'))
    this.environment = {
      PORT: String(ports.site),
      SITE_URL: this.url,
      DATA_DIR: this.directory,
      STANDINS_PORT: String(ports.standins),
      SMTP_STANDIN_PORT: String(ports.smtp),
      BUILD_DIR: buildDirectory,
      RATE_LIMITS: 'off',
      SAMPLES: 'few',
      ...more,
    }
  }

  get program(): Program {
    if (!this.#site) throw new Error('The site was not started')
    return this.#site
  }

  get databaseUrl(): string {
    return this.environment['DATABASE_URL'] ?? `sqlite:${join(this.directory, 'association.db')}`
  }

  async startStandins(): Promise<void> {
    this.#standins = startOurs({
      file: 'standins/main.ts',
      environment: this.environment,
      logFile: join(this.directory, 'standins.log'),
    })
    await firstResponse(this.#standins, this.standinsUrl)
  }

  /** Resolves with the milliseconds from process start to the first complete response for the home page. */
  async start(): Promise<number> {
    const startedAt = performance.now()
    this.#site = startOurs({
      file: 'src/server/main.ts',
      nodeOptions: SITE_PROCESS.nodeOptions,
      environment: { ...SITE_PROCESS.environment, ...this.environment },
      logFile: join(this.directory, 'site.log'),
    })
    await firstResponse(this.#site, this.url)
    return performance.now() - startedAt
  }

  async stop(): Promise<void> {
    await this.#site?.stop()
  }

  async close(): Promise<void> {
    await this.stop()
    await this.#standins?.stop()
    rmSync(this.directory, { recursive: true, force: true })
  }
}

export async function createBenchSite(
  buildDirectory: string,
  { environment = {} }: BenchSiteOptions,
): Promise<BenchSite> {
  const [site = 0, standins = 0, smtp = 0] = await findPorts(3)
  return new BenchSite({ site, standins, smtp }, buildDirectory, environment)
}

async function firstResponse(program: Program, url: string): Promise<void> {
  const deadline = performance.now() + WITHIN_MS
  while (!program.hasEnded && performance.now() < deadline) {
    const response = await request(url, { path: '/', withinMs: 5_000 }).catch(() => null)
    if (response?.status === 200) return
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error(`${url} does not answer:\n${program.output}`)
}
