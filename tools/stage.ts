import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = resolve(import.meta.dirname, '..')
const KILL_AFTER_MS = 5_000

/** One stage of `npm test`. */
export interface Stage {
  name: string
  /** Programs of npm packages or of ours with their arguments, run by this Node in order until one fails. */
  commands: readonly (readonly [program: string, ...args: string[]])[]
  environment?: NodeJS.ProcessEnv
  /** Parses the counts of passed and failed tests from its output or files; without it the stage itself counts as one. */
  count?: (output: string) => Counts | null
  /** The part of its output that explains a failure; all of it by default. */
  excerpt?: (output: string) => string
}

export interface Counts {
  passed: number
  failed: number
}

export interface StageResult extends Counts {
  name: string
  ok: boolean
  seconds: number
  output: string
}

const running = new Set<ChildProcess>()

/** Never rejects: errors become a failed stage. */
export async function runStage(stage: Stage, deadline: number): Promise<StageResult> {
  const startedAt = performance.now()
  let output = ''
  let ok = true
  for (const command of stage.commands) {
    if (!ok) break
    const { status, said } = await run(command, stage.environment, deadline)
    output += said
    ok = status === 0
  }
  const counts = stage.count?.(output) ?? { passed: ok ? 1 : 0, failed: 0 }
  // A stage can fail without a failed test: an unhandled rejection, a file that does not load.
  if (!ok && counts.failed === 0) counts.failed = 1
  return {
    ...counts,
    name: stage.name,
    ok: ok && counts.failed === 0,
    seconds: (performance.now() - startedAt) / 1_000,
    output,
  }
}

async function run(
  [program, ...args]: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv | undefined,
  deadline: number,
): Promise<{ status: number; said: string }> {
  const left = deadline - Date.now()
  if (left <= 0) return { status: 1, said: 'Not run: the time of `npm test` is over.\n' }
  // Its own process group, so that its workers, browsers and servers can be stopped with it.
  const child = spawn(process.execPath, [program, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  })
  running.add(child)
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk))
  const timer = setTimeout(() => {
    said.push(Buffer.from('\nStopped: the time of `npm test` is over.\n'))
    void end(child)
  }, left)
  const status = await new Promise<number>((done) => {
    child.on('error', (error) => {
      said.push(Buffer.from(error.message))
      done(1)
    })
    child.on('close', (code, signal) => done(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
  clearTimeout(timer)
  running.delete(child)
  return { status, said: Buffer.concat(said).toString() }
}

/** For Ctrl-C: stops everything that was started. */
export async function endAllStages(): Promise<void> {
  await Promise.all([...running].map(end))
}

async function end(child: ChildProcess): Promise<void> {
  signalGroup(child, 'SIGTERM')
  await Promise.race([new Promise((done) => child.once('close', done)), sleep(KILL_AFTER_MS)])
  signalGroup(child, 'SIGKILL')
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // it has already exited
  }
}
