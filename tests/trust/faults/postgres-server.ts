import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '#server/db/open-database.ts'
import type { OwnDatabase } from '../database.ts'
import { until } from '../load.ts'
import { freePort } from './processes.ts'

const INSTALLED = '/usr/lib/postgresql'
const ACCOUNT = 'postgres'
const READY_WITHIN_MS = 30_000
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** A PostgreSQL server for one row, which may kill it at any time; no other server is affected. */
export class PostgresServer {
  readonly url: string
  readonly #port: number
  readonly #programs: string
  readonly #folder: string
  readonly #as: { uid?: number; gid?: number }
  #child: ChildProcess | null = null

  private constructor(parts: { port: number; programs: string; folder: string; as: { uid?: number; gid?: number } }) {
    this.#port = parts.port
    this.#programs = parts.programs
    this.#folder = parts.folder
    this.#as = parts.as
    process.once('exit', () => this.#child?.kill('SIGKILL'))
    this.url = `postgres://${ACCOUNT}@127.0.0.1:${parts.port}/postgres`
  }

  /** Creates and starts it; returns the reason if this machine cannot run one. */
  static async make(): Promise<PostgresServer | string> {
    const programs = findPrograms()
    if (!programs) return 'PostgreSQL is not installed on this machine (no initdb in PATH or /usr/lib/postgresql)'
    const as = unprivileged()
    if (!as) return 'PostgreSQL refuses to run as root, and this machine has no account "postgres"'
    const folder = mkdtempSync(join(tmpdir(), 'association-postgres-'))
    const cluster = join(folder, 'cluster')
    mkdirSync(cluster)
    if (as.uid !== undefined && as.gid !== undefined) {
      for (const owned of [folder, cluster]) chownSync(owned, as.uid, as.gid)
    }
    execFileSync(join(programs, 'initdb'), ['-D', cluster, '-U', ACCOUNT, '-A', 'trust', '-E', 'UTF8'], {
      ...as,
      cwd: folder,
      stdio: 'ignore',
    })
    const server = new PostgresServer({ port: await freePort(), programs, folder, as })
    await server.start()
    return server
  }

  /** Resolves once it accepts connections. */
  async start(): Promise<void> {
    const deadline = performance.now() + READY_WITHIN_MS
    while (!(await this.#answers())) {
      // A killed server may hold its shared memory for a moment: retry.
      if (this.#child === null || this.#child.exitCode !== null || this.#child.signalCode !== null) this.#spawn()
      await until(() => this.#answers(), { withinMs: 500, everyMs: 20 })
      if (performance.now() > deadline) throw new Error('PostgreSQL does not start')
    }
  }

  #spawn(): void {
    const words = ['-D', join(this.#folder, 'cluster'), '-p', String(this.#port), '-k', this.#folder]
    this.#child = spawn(join(this.#programs, 'postgres'), [...words, '-c', 'listen_addresses=127.0.0.1'], {
      ...this.#as,
      cwd: this.#folder,
      stdio: 'ignore',
    })
  }

  /** kill -9 of the server; its child processes notice immediately. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    await new Promise<void>((ended) => {
      child.once('exit', () => ended())
      child.kill(signal)
    })
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 500 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** For a world; removing it stops the server. */
  get database(): OwnDatabase {
    return {
      url: this.url,
      engine: 'PostgreSQL',
      open: () => openDatabase(this.url, quiet),
      remove: async () => {
        await this.#end('SIGINT')
        rmSync(this.#folder, { recursive: true, force: true })
      },
    }
  }
}

/** The folder of `initdb` and `postgres`, of the newest installed version. */
function findPrograms(): string | null {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(INSTALLED, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}

/** The user to run it as: ourselves, or instead of root the account of its package. null when there is none. */
export function unprivileged(): { uid?: number; gid?: number } | null {
  if (process.getuid?.() !== 0) return {}
  try {
    const ask = (what: string) => Number(execFileSync('id', [what, ACCOUNT], { encoding: 'utf8', stdio: 'pipe' }))
    return { uid: ask('-u'), gid: ask('-g') }
  } catch {
    return null
  }
}
