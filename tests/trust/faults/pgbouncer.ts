import { spawn, type ChildProcess } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '#server/db/open-database.ts'
import type { OwnDatabase } from '../database.ts'
import { until } from '../load.ts'
import { unprivileged, type PostgresServer } from './postgres-server.ts'
import { freePort, TREE } from './processes.ts'

const READY_WITHIN_MS = 10_000
const NAME = 'association'
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** PgBouncer with `deploy/pgbouncer.ini` in front of a server of the row: as shipped, except for ports, names, password and log. */
export class PgBouncer {
  readonly url: string
  readonly #server: PostgresServer
  readonly #folder: string
  readonly #as: { uid?: number; gid?: number }
  #child: ChildProcess | null = null
  output = ''

  private constructor(parts: { port: number; server: PostgresServer; folder: string }) {
    this.#server = parts.server
    this.#folder = parts.folder
    // It refuses to run as root, and PostgreSQL would not be there without that account.
    this.#as = unprivileged() ?? {}
    process.once('exit', () => this.#child?.kill('SIGKILL'))
    this.url = `postgres://postgres@127.0.0.1:${parts.port}/${NAME}`
  }

  /** @param change of the shipped file, to see a row fail */
  static async make(server: PostgresServer, change: (shipped: string) => string = (shipped) => shipped) {
    const folder = mkdtempSync(join(tmpdir(), 'association-pgbouncer-'))
    const port = await freePort()
    const { port: serverPort, pathname, username } = new URL(server.url)
    const shipped = readFileSync(join(TREE, 'deploy', 'pgbouncer.ini'), 'utf8')
    const settings = shipped
      .replace('port=5432 dbname=association', `port=${serverPort} dbname=${pathname.slice(1)} user=${username}`)
      .replace('listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`)
      .replace('auth_type = scram-sha-256', 'auth_type = any')
      .replaceAll(/^(?:auth_file|logfile|pidfile) = .*$/gm, '')
    writeFileSync(join(folder, 'pgbouncer.ini'), change(settings))
    const bouncer = new PgBouncer({ port, server, folder })
    const { uid, gid } = bouncer.#as
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
    await bouncer.start()
    return bouncer
  }

  /** Resolves once it accepts connections; PostgreSQL may be down. */
  async start(): Promise<void> {
    const child = spawn('pgbouncer', [join(this.#folder, 'pgbouncer.ini')], { ...this.#as, cwd: this.#folder })
    this.#child = child
    child.stderr.on('data', (chunk: Buffer) => (this.output = (this.output + chunk.toString()).slice(-100_000)))
    const isUp = await until(
      async () => child.exitCode !== null || this.output.includes(`[${child.pid}] LOG process up`),
      {
        withinMs: READY_WITHIN_MS,
        everyMs: 10,
      },
    )
    if (!isUp || child.exitCode !== null) throw new Error(`PgBouncer does not start: ${this.output.slice(-500)}`)
  }

  /** `SIGKILL`: like a crash; `SIGINT`: as `systemctl restart` does, after running transactions. */
  async end(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    await new Promise<void>((ended) => {
      child.once('exit', () => ended())
      child.kill(signal)
      // A safe shutdown waits for transactions that wait for connections.
      setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS).unref()
    })
  }

  /** Ends its connections to the server, from the server's side; returns how many. */
  async endServerConnections(): Promise<number> {
    const rows = await this.#ask(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name not like $1 and datname = current_database()',
      ['trust%'],
    )
    return rows.length
  }

  /** Advisory locks that a transaction left behind in its connection. */
  async countLeftovers(): Promise<number> {
    const [row] = await this.#ask(`select count(*)::int as count from pg_locks where locktype = 'advisory'`)
    return Number(row?.['count'])
  }

  async #ask(statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.#server.url, application_name: 'trust row' })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(statement, values)).rows
    } finally {
      await client.end()
    }
  }

  /** For a world: the site goes through PgBouncer, the test reads without it. */
  get database(): OwnDatabase {
    const direct = new URL(this.#server.url)
    direct.searchParams.set('application_name', 'trust reader')
    return {
      url: this.url,
      engine: 'PostgreSQL',
      open: () => openDatabase(direct.href, quiet),
      remove: async () => {
        await this.end('SIGKILL')
        rmSync(this.#folder, { recursive: true, force: true })
        await this.#server.database.remove()
      },
    }
  }
}
