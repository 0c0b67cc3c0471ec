import { spawn, type ChildProcess as NodeChild } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { LogFile } from './site/log-file.ts'

const NOTICES_CLOSED_CHANNEL_MS = 400
const STOP_WITHIN_MS = 20_000

/** A pino record at level warn or above, recognized without parsing every line. */
const LOUD = /"level":(?:[4-9]\d|"(?:warn|error|fatal)")/

export interface ChildOptions {
  /** Prefix of its lines in the terminal. */
  name: string
  program: string
  /** For Node itself, before the program. */
  nodeOptions?: readonly string[]
  environment: NodeJS.ProcessEnv
  /** All output goes to this log, and only warnings and errors to `say`; null: it inherits our output. */
  logFile: string | null
  say: (line: string) => void
}

/** A Node program of ours that runs as long as `npm start`, in its process group. */
export class ChildProcess {
  readonly #child: NodeChild
  /** Its exit status; 128 and the signal's number when a signal ended it. */
  readonly ended: Promise<number>

  constructor({ name, program, nodeOptions = [], environment, logFile, say }: ChildOptions) {
    const output = logFile === null ? 'inherit' : 'pipe'
    // The channel closes when we exit, even after kill -9.
    this.#child = spawn(process.execPath, [...nodeOptions, program], {
      env: environment,
      stdio: ['ignore', output, output, 'ipc'],
    })
    this.ended = new Promise((resolve) => {
      this.#child.on('error', (error) => {
        say(`[${name}] ${error.message}`)
        resolve(1)
      })
      this.#child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
    })
    if (logFile !== null) this.#keepLog(name, new LogFile(logFile), say)
  }

  get id(): number | undefined {
    return this.#child.pid
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined
  }

  /** Requests a graceful stop; resolves with its status. A second call is a no-op. */
  async stop(): Promise<number> {
    if (!this.isRunning) return this.ended
    const deadline = setTimeout(() => this.kill(), STOP_WITHIN_MS)
    // A signal to our group has reached it already, and a program that handles only one would not survive a second.
    if (this.#child.connected) this.#child.disconnect()
    const asking = setTimeout(() => this.#child.kill('SIGTERM'), NOTICES_CLOSED_CHANNEL_MS)
    try {
      return await this.ended
    } finally {
      clearTimeout(deadline)
      clearTimeout(asking)
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #keepLog(name: string, file: LogFile, say: (line: string) => void): void {
    const { stdout, stderr } = this.#child as { stdout: Readable; stderr: Readable }
    for (const stream of [stdout, stderr]) stream.on('data', (chunk: Buffer) => file.write(chunk))
    createInterface({ input: stdout }).on('line', (line) => {
      if (LOUD.test(line)) say(`[${name}] ${summaryOf(line)}`)
    })
    createInterface({ input: stderr }).on('line', (line) => say(`[${name}] ${line}`))
    void Promise.all([once(stdout, 'close'), once(stderr, 'close')]).then(() => file.close())
  }
}

function summaryOf(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { stack?: string } }
    return [msg ?? line, err?.stack].filter((part) => part !== undefined).join('\n')
  } catch {
    return line
  }
}
