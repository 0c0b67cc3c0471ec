import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import type { Measured } from '../row.ts'

/** A program of the system that stands beside or in front of a site in production, and Debian's package of it. */
export interface Counterpart {
  program: string
  debianPackage: string
}

export function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** What a row says where none of its counterparts is installed; null if one is. */
export function notRun(counterparts: readonly Counterpart[]): Measured | null {
  const missing = counterparts.filter(({ program }) => !isInstalled(program))
  return missing.length < counterparts.length ? null : { passed: true, reached: missingSentence(missing) }
}

/** Such as “not run: package nginx is not installed”; empty if nothing is missing. */
export function missingSentence(missing: readonly Counterpart[]): string {
  return missing.map(({ debianPackage }) => `not run: package ${debianPackage} is not installed`).join('; ')
}

/** Such as `nginx 1.22.1`. */
export function versionOf(program: string, ...words: string[]): string {
  const { stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  return `${program} ${/\d+(?:\.\d+)+/.exec(stdout + stderr)?.[0] ?? ''}`.trim()
}

/** A program of the system, stopped by its process id, also when this process ends. */
export class Daemon {
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  output = ''

  constructor(program: string, words: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
    this.#child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output = (this.output + chunk.toString()).slice(-500_000)))
    this.#ended = new Promise((done) => this.#child.once('close', () => done()))
    const kill = () => this.#child.kill('SIGKILL')
    process.once('exit', kill)
    void this.#ended.then(() => process.off('exit', kill))
  }

  async stop(): Promise<void> {
    this.#child.kill()
    const insist = setTimeout(() => this.#child.kill('SIGKILL'), 8_000)
    await this.#ended
    clearTimeout(insist)
  }

  /** Resolves when it ends by itself, or is ended after `ms`; returns whether it ended by itself. */
  async finish(ms: number): Promise<boolean> {
    let isOver = false
    const timer = setTimeout(() => {
      isOver = true
      void this.stop()
    }, ms)
    await this.#ended
    clearTimeout(timer)
    return !isOver
  }
}
