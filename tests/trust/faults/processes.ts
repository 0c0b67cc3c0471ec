import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'

/** Root of the tested tree; `TRUST_TREE` selects another copy, to see a row fail. */
export const TREE = resolve(process.env['TRUST_TREE'] ?? resolve(import.meta.dirname, '..', '..', '..'))

const FIRST_PORT = 4600
const LAST_PORT = 4699
const STOP_WITHIN_MS = 8_000
const KEPT_OUTPUT = 200_000

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

// Two parallel runs start at different ends of the range.
let nextPort = FIRST_PORT + ((process.pid * 37) % (LAST_PORT - FIRST_PORT))

/** A free port on the loopback address, from the range of these tests. */
export async function freePort(): Promise<number> {
  for (let tried = FIRST_PORT; tried <= LAST_PORT; tried++) {
    const port = nextPort
    nextPort = nextPort === LAST_PORT ? FIRST_PORT : nextPort + 1
    if (await isFree(port)) return port
  }
  throw new Error(`No port from ${FIRST_PORT} to ${LAST_PORT} is free`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((response) => {
    const probe = createServer()
    probe.once('error', () => response(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => response(true)))
  })
}

/** A program of this tree, run by this Node in its own process. */
export class Program {
  readonly child: ChildProcess
  #output = ''
  #errors = ''
  /** Resolves with its exit status; null when a signal ended it. */
  readonly ended: Promise<number | null>
  hasEnded = false

  constructor(
    file: string,
    environment: Record<string, string>,
    { nodeOptions = [], words = [] }: { nodeOptions?: readonly string[]; words?: readonly string[] } = {},
  ) {
    this.child = spawn(process.execPath, [...nodeOptions, file, ...words], {
      cwd: TREE,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(this.child)
    this.child.stdout?.on('data', (chunk: Buffer) => (this.#output = keep(this.#output + chunk.toString())))
    this.child.stderr?.on('data', (chunk: Buffer) => (this.#errors = keep(this.#errors + chunk.toString())))
    this.ended = new Promise((done) => {
      this.child.once('close', (status) => {
        running.delete(this.child)
        this.hasEnded = true
        done(status)
      })
    })
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  get output(): string {
    return this.#output
  }

  get errors(): string {
    return this.#errors
  }

  /** Like a power cut: nothing is finished. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.ended
  }

  /** Requests a stop, and kills the process if it does not exit. */
  async stop(): Promise<void> {
    if (this.hasEnded) return
    this.child.kill('SIGTERM')
    const insist = setTimeout(() => this.child.kill('SIGKILL'), STOP_WITHIN_MS)
    await this.ended
    clearTimeout(insist)
  }

  /** Resident memory in MB; null where the system does not report it. */
  memoryMb(): number | null {
    try {
      const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1]
      return kilobytes ? Number(kilobytes) / 1_024 : null
    } catch {
      return null
    }
  }
}

function keep(text: string): string {
  return text.length > KEPT_OUTPUT ? text.slice(-KEPT_OUTPUT) : text
}
