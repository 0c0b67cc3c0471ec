import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram, ROOT } from './programs.ts'

export interface Machine {
  processor: string
  cores: number
  memoryGb: number
  system: string
  node: string
  /** Programs that rows use or compare with, by name; null where not installed. */
  programs: Record<string, string | null>
}

export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${type()} ${release()}`,
    node: process.version,
    programs: {
      nginx: versionOf('nginx', '-v'),
      wrk: versionOf('wrk', '-v'),
      Chromium: versionOf('chromium', '--version'),
    },
  }
}

function versionOf(name: string, option: string): string | null {
  const program = findProgram(name)
  if (!program) return null
  try {
    // Some print it to stderr, some exit with a failure status.
    const said = execFileSync('sh', ['-c', `"${program}" ${option} 2>&1 || true`], { encoding: 'utf8' })
    return /\d+\.\d+[.\d]*/.exec(said)?.[0] ?? 'of unknown version'
  } catch {
    return 'of unknown version'
  }
}

export interface Commit {
  hash: string
  /** Changed files since that commit, except those that the bench writes. */
  changed: number
}

export function readCommit(): Commit {
  try {
    const git = (...words: string[]) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim()
    const changed = git('status', '--porcelain', '--', '.', ':!docs/bench.*')
    return { hash: git('rev-parse', '--short', 'HEAD'), changed: changed === '' ? 0 : changed.split('\n').length }
  } catch {
    return { hash: 'none', changed: 0 }
  }
}

/** Other load on this machine: the load average of the last minute, and CPU usage while this program is idle. */
export interface Noise {
  load: number
  /** 0 to 1. */
  busy: number
}

export async function listen(ms = 500): Promise<Noise> {
  const before = coreTimes()
  await sleep(ms)
  const after = coreTimes()
  const all = after.all - before.all
  return { load: loadavg()[0] ?? 0, busy: all > 0 ? 1 - (after.idle - before.idle) / all : 0 }
}

function coreTimes(): { idle: number; all: number } {
  let idle = 0
  let all = 0
  for (const { times } of cpus()) {
    idle += times.idle
    all += times.user + times.nice + times.sys + times.idle + times.irq
  }
  return { idle, all }
}
