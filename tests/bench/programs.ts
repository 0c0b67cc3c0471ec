import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { isPortFree } from '#tools/ports.ts'

export const ROOT = resolve(import.meta.dirname, '..', '..')

const FIRST_PORT = 4900
const LAST_PORT = 4999
const STOP_WITHIN_MS = 10_000
/** Where systems install servers, often not on a user's PATH. */
const MORE_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/opt/homebrew/bin']

let nextPort = FIRST_PORT

/** Free ports on the loopback address. */
export async function findPorts(count: number): Promise<number[]> {
  const found: number[] = []
  for (let tried = FIRST_PORT; tried <= LAST_PORT && found.length < count; tried++) {
    const port = nextPort
    nextPort = nextPort === LAST_PORT ? FIRST_PORT : nextPort + 1
    if (await isPortFree(port)) found.push(port)
  }
  if (found.length < count) throw new Error(`No ${count} ports from ${FIRST_PORT} to ${LAST_PORT} are free`)
  return found
}

/** The path of an installed program; null when there is none. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...MORE_FOLDERS]
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null
}

/** Only the environment variables that a program needs to run: the user's settings must not reach the site. */
export function bareEnvironment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_EXTRA_CA_CERTS } = process.env
  return { PATH, HOME, TMPDIR, NODE_EXTRA_CA_CERTS, ...more }
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

/** A program that runs until it is stopped, or until the bench ends; its output goes to a file, as on a server. */
export class Program {
  readonly #child: ChildProcess
  readonly #logFile: string
  readonly ended: Promise<void>
  hasEnded = false
  /** null while it runs, and after a signal. */
  exitCode: number | null = null

  constructor(file: string, words: readonly string[], logFile: string, options: SpawnOptions) {
    mkdirSync(dirname(logFile), { recursive: true })
    const log = openSync(logFile, 'a')
    this.#logFile = logFile
    this.#child = spawn(file, words, { cwd: ROOT, ...options, stdio: ['ignore', log, log] })
    closeSync(log)
    running.add(this.#child)
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.hasEnded = true
        this.exitCode = this.#child.exitCode
        running.delete(this.#child)
        resolve()
      }
      this.#child.once('error', end)
      this.#child.once('exit', end)
    })
  }

  get id(): number {
    return this.#child.pid ?? 0
  }

  /** Its latest output. */
  get output(): string {
    return existsSync(this.#logFile) ? readFileSync(this.#logFile, 'utf8').slice(-4_000) : ''
  }

  /** Kills it immediately, without cleanup. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended
  }

  async stop(): Promise<void> {
    if (this.hasEnded) return
    this.#child.kill('SIGTERM')
    const insist = setTimeout(() => this.#child.kill('SIGKILL'), STOP_WITHIN_MS)
    await this.ended
    clearTimeout(insist)
  }

  /** In MB of 1,000,000 bytes: current and peak resident memory. null where the system does not report it. */
  memory(): { now: number; peak: number } | null {
    const file = `/proc/${this.id}/status`
    if (!existsSync(file)) return null
    const status = readFileSync(file, 'utf8')
    const read = (name: string) => (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1_024) / 1e6
    return { now: read('VmRSS'), peak: read('VmHWM') }
  }
}

interface Ours {
  /** Relative to the root of the repository. */
  file: string
  nodeOptions?: readonly string[]
  environment: Record<string, string>
  logFile: string
}

/** A TypeScript program of ours, run by this Node. */
export function startOurs({ file, nodeOptions = [], environment, logFile }: Ours): Program {
  return new Program(process.execPath, [...nodeOptions, join(ROOT, file)], logFile, {
    env: bareEnvironment(environment),
  })
}

/** The JSON output of a program in `workers/`. */
export async function askWorker<T>(name: string, environment: Record<string, string>): Promise<T> {
  const file = join(import.meta.dirname, 'workers', `${name}.ts`)
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    cwd: ROOT,
    env: bareEnvironment(environment),
    maxBuffer: 16_000_000,
  })
  return JSON.parse(stdout) as T
}
