import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../load.ts'
import { Daemon } from './counterparts.ts'
import { freePort, TREE } from './processes.ts'

const READY_WITHIN_MS = 15_000

/** The services of Debian's `master.cf` that deliver email, without chroot and without local mailboxes. */
const SERVICES = `
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`

/** Postfix with a queue of its own, in front of the mail stand-in. */
export class Postfix {
  readonly port: number
  readonly #folder: string
  #daemon: Daemon | null = null
  #masterPid = 0

  private constructor(folder: string, port: number) {
    this.#folder = folder
    this.port = port
    process.once('exit', () => this.#killGroup())
  }

  /** Why it cannot run here; null if it can. */
  static obstacle(): string | null {
    if (process.getuid?.() !== 0) return 'Postfix starts as root only'
    return spawnSync('id', ['postfix']).status === 0 ? null : 'this machine has no account "postfix"'
  }

  /**
   * Starts it.
   * @param relayPort of the mail server on this machine that it passes everything on to
   * @param routes more lines of the transport map, by address or domain
   * @param services more lines of `master.cf`
   */
  static async start({
    relayPort,
    routes,
    services,
  }: {
    relayPort: number
    routes: Record<string, string>
    services: (folder: string) => string
  }): Promise<Postfix> {
    const folder = mkdtempSync(join(tmpdir(), 'association-postfix-'))
    chmodSync(folder, 0o755)
    const postfix = new Postfix(folder, await freePort())
    for (const part of ['etc', 'queue', 'data']) mkdirSync(join(folder, part))
    chownSync(join(folder, 'data'), Number(execFileSync('id', ['-u', 'postfix'])), 0)
    const transports = Object.entries(routes).map(([pattern, transport]) => `{ ${pattern} = ${transport} }`)
    const settings = {
      compatibility_level: '3.6',
      config_directory: join(folder, 'etc'),
      queue_directory: join(folder, 'queue'),
      data_directory: join(folder, 'data'),
      maillog_file: join(folder, 'log'),
      maillog_file_prefixes: folder,
      myhostname: 'mail.example.org',
      mydestination: '',
      inet_interfaces: '127.0.0.1',
      inet_protocols: 'ipv4',
      smtpd_peername_lookup: 'no',
      mynetworks: '127.0.0.0/8',
      relayhost: `[127.0.0.1]:${relayPort}`,
      transport_maps: `inline:{ ${transports.join(', ')} }`,
      // The harder case for signatures: as if the next server took 7-bit email only, so that Postfix converts the rest.
      smtp_discard_ehlo_keywords: '8bitmime',
      // Retries within seconds instead of minutes.
      queue_run_delay: '1s',
      minimal_backoff_time: '1s',
      maximal_backoff_time: '2s',
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
    writeFileSync(join(folder, 'etc', 'main.cf'), lines.join(''))
    const listening = `127.0.0.1:${postfix.port} inet n - n - - smtpd\n`
    writeFileSync(join(folder, 'etc', 'master.cf'), `${listening}${SERVICES.trimStart()}${services(folder)}`)
    await postfix.start()
    return postfix
  }

  async start(): Promise<void> {
    writeFileSync(this.#log, '')
    this.#daemon = new Daemon('postfix', ['-c', this.#etc, 'start-fg'])
    const log = () => readFileSync(this.#log, 'utf8')
    const isUp = await until(async () => log().includes('daemon started'), { withinMs: READY_WITHIN_MS })
    if (!isUp) throw new Error(`Postfix does not start: ${this.#daemon.output}${log().slice(-500)}`)
    this.#masterPid = Number(readFileSync(join(this.#folder, 'queue', 'pid', 'master.pid'), 'utf8'))
  }

  /** Changes settings of the running server. */
  set(settings: Record<string, string>): void {
    execFileSync('postconf', ['-c', this.#etc, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)])
    execFileSync('postfix', ['-c', this.#etc, 'reload'], { stdio: 'ignore' })
  }

  /** Emails in the queue. */
  queued(): number {
    const { status, stdout, stderr } = spawnSync('postqueue', ['-c', this.#etc, '-j'], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`postqueue failed: ${stderr}`)
    return stdout.split('\n').filter(Boolean).length
  }

  async isEmpty(withinMs: number): Promise<boolean> {
    return (await until(async () => this.queued() === 0, { withinMs, everyMs: 200 })) !== null
  }

  /** kill -9 of all its processes at once. */
  async kill(): Promise<void> {
    this.#killGroup()
    await this.#daemon?.stop()
  }

  /** The server is its own process group, since its start script makes it a session of its own. */
  #killGroup(): void {
    if (this.#masterPid === 0) return
    try {
      process.kill(-this.#masterPid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
    this.#masterPid = 0
  }

  async remove(): Promise<void> {
    await this.kill()
    if (existsSync(this.#folder)) rmSync(this.#folder, { recursive: true, force: true })
  }

  get #log(): string {
    return join(this.#folder, 'log')
  }

  get #etc(): string {
    return join(this.#folder, 'etc')
  }
}

/** The service of `master.cf` that hands bounces to the site, as documented. */
export function documentedBounceService(): string {
  const service = /^association-bounces unix [^\n]*\n {2}flags=[^\n]*\n/m.exec(
    readFileSync(join(TREE, 'docs', 'running.md'), 'utf8'),
  )?.[0]
  if (!service) throw new Error('docs/running.md has no service "association-bounces"')
  return service
}
