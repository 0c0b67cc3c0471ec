import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig, type Config } from '#server/config/config.ts'
import { RESTART_STATUS } from '#server/config/restart-status.ts'
import { buildSite } from '../build.ts'
import { ChildProcess } from '../child-process.ts'
import { isPortFree } from '../ports.ts'
import { SITE_PROCESS } from './site-process.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const POLL_MS = 40
const STANDINS_WITHIN_MS = 15_000
/** A site that responds but is not ready for this long is reported and left running: `/readyz` says what is wrong. */
const READY_WITHIN_MS = 20_000

/** What prevents the site from starting, in a sentence with the fix. */
export class StartProblem extends Error {}

export interface LocalSite {
  config: Config
  /** The result of the start; `unready` still serves what it can. */
  state: { is: 'ready' } | { is: 'unready'; reasons: string } | { is: 'ended' }
  /** The site's exit status, when it exits or was stopped. Stand-ins that were started have stopped by then. */
  ended: Promise<number>
  /** Stops the site, then the stand-ins. */
  stop(): Promise<number>
  /** Kills it immediately. */
  kill(): void
}

export interface LocalSiteOptions {
  /** Settings as `npm start` gets them. */
  environment: NodeJS.ProcessEnv
  say: (sentence: string) => void
  /** Aborts a start in progress. */
  signal?: AbortSignal
}

/**
 * Builds what changed, starts the stand-ins if no provider is set, then the site, and waits until it is ready.
 * @throws StartProblem, ConfigError for invalid settings, and the signal's reason.
 */
export async function startLocalSite({ environment, say, signal }: LocalSiteOptions): Promise<LocalSite> {
  const config = readConfig(environment)
  const standins = standinsToStart(config, environment)
  await checkPorts(config, standins)
  if (standins) await checkDataFolder(config)
  const { directory } = await buildSite({ log: say })
  signal?.throwIfAborted()

  const shared: NodeJS.ProcessEnv = {
    ...environment,
    DATA_DIR: config.dataDirectory,
    SITE_URL: config.siteUrl,
    ...(standins && { STRIPE_WEBHOOK_SECRET: config.stripe.webhookSecret }),
  }
  const standinsProcess = standins && (await startStandins(standins, { config, environment: shared, say }))
  const startProcess = () =>
    new ChildProcess({
      name: 'site',
      program: join(ROOT, 'src', 'server', 'main.ts'),
      nodeOptions: SITE_PROCESS.nodeOptions,
      environment: { ...SITE_PROCESS.environment, ...shared, BUILD_DIR: directory },
      logFile: config.production ? null : join(config.dataDirectory, 'logs', 'site.log'),
      say,
    })
  let site = startProcess()

  let stopping = false
  async function stop(): Promise<number> {
    stopping = true
    const status = await site.stop()
    await standinsProcess?.stop()
    return status
  }
  /** Starts the site again whenever it asks for that, such as after its first run. */
  async function follow(): Promise<number> {
    const status = await site.ended
    if (status === RESTART_STATUS && !stopping) {
      site = startProcess()
      return follow()
    }
    stopping = true
    await standinsProcess?.stop()
    return status
  }
  const ended = follow()
  void standinsProcess?.ended.then((status) => {
    if (stopping) return
    say(`The stand-ins ended (status ${status}): payments, emails and bot checks fail until you start again.`)
  })

  signal?.addEventListener('abort', () => void stop())
  if (signal?.aborted) void stop()
  const state = await waitUntilReady(site, config, say)
  return {
    config,
    state,
    ended,
    stop,
    kill() {
      site.kill()
      standinsProcess?.kill()
    },
  }
}

interface StandinPorts {
  http: number
  smtp: number
}

/** null when every provider is real, or the stand-ins of another instance are used. */
function standinsToStart(config: Config, environment: NodeJS.ProcessEnv): StandinPorts | null {
  if (config.standinsUrl === null || environment['STANDINS_URL']) return null
  const smtp = Number(environment['SMTP_STANDIN_PORT']) || config.port + 2
  return { http: Number(new URL(config.standinsUrl).port), smtp }
}

async function checkPorts({ port, host }: Config, standins: StandinPorts | null): Promise<void> {
  const wanted: [variable: string, port: number, host: string][] = [['PORT', port, host]]
  if (standins) {
    wanted.push(['STANDINS_PORT', standins.http, '127.0.0.1'], ['SMTP_STANDIN_PORT', standins.smtp, '127.0.0.1'])
  }
  for (const [variable, number, address] of wanted) {
    if (await isPortFree(number, address)) continue
    throw new StartProblem(
      `Port ${number} (${variable}) is taken, perhaps by another \`npm start\`. Stop what uses it, or choose another: ` +
        `${variable}=${number + 100} npm start`,
    )
  }
}

/** Two sets of stand-ins must not write the same files. */
async function checkDataFolder({ dataDirectory, port }: Config): Promise<void> {
  const file = ownerFile(dataDirectory)
  if (!existsSync(file)) return
  const { process: owner, url } = JSON.parse(readFileSync(file, 'utf8')) as { process: number; url: string }
  if (!isRunning(owner) || !(await responds(url))) return
  throw new StartProblem(
    `${dataDirectory} belongs to a running \`npm start\`. For a second instance of that site: ` +
      `STANDINS_URL=${url} SMTP_STANDIN_PORT=${Number(new URL(url).port) + 1} PORT=${port} npm start; ` +
      'for a site of its own: DATA_DIR=another-folder',
  )
}

function ownerFile(dataDirectory: string): string {
  return join(dataDirectory, 'standins', 'owner.json')
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function startStandins(
  ports: StandinPorts,
  { config, environment, say }: { config: Config } & LocalSiteOptions,
): Promise<ChildProcess> {
  const standins = new ChildProcess({
    name: 'stand-ins',
    program: join(ROOT, 'standins', 'main.ts'),
    environment: { ...environment, STANDINS_PORT: String(ports.http), SMTP_STANDIN_PORT: String(ports.smtp) },
    logFile: join(config.dataDirectory, 'logs', 'standins.log'),
    say,
  })
  const url = `http://localhost:${ports.http}`
  const deadline = Date.now() + STANDINS_WITHIN_MS
  while (!(await responds(url))) {
    if (!standins.isRunning) throw new StartProblem('The stand-ins could not start; their output is above.')
    if (Date.now() > deadline) {
      standins.kill()
      throw new StartProblem(`The stand-ins do not respond on ${url}: see ${config.dataDirectory}/logs/standins.log.`)
    }
    await sleep(POLL_MS)
  }
  mkdirSync(join(config.dataDirectory, 'standins'), { recursive: true })
  writeFileSync(ownerFile(config.dataDirectory), JSON.stringify({ process: standins.id, url }))
  return standins
}

async function responds(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}

/** Also resolves when the site exits. */
async function waitUntilReady(
  site: ChildProcess,
  { host, port }: Config,
  say: (sentence: string) => void,
): Promise<LocalSite['state']> {
  const started = Date.now()
  let told = false
  while (site.isRunning) {
    const response = await askReadiness(`http://${reachable(host)}:${port}/readyz`)
    if (response?.ok) return { is: 'ready' }
    const waited = Date.now() - started
    if (waited > READY_WITHIN_MS && response) return { is: 'unready', reasons: response.text }
    if (waited > 1_000 && !told) {
      say('Starting the site ...')
      told = true
    }
    await sleep(POLL_MS)
  }
  return { is: 'ended' }
}

async function askReadiness(url: string): Promise<{ ok: boolean; text: string } | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    return { ok: response.ok, text: await response.text() }
  } catch {
    return null
  }
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
