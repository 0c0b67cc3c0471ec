import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Clock = {
  /** Epoch milliseconds, including the offset. */
  now(): number
  offset(): number
  /** Advances the stand-ins' clock and, through the file, the site's; resolves when the site has read it. */
  setOffset(offsetMs: number): Promise<void>
}

const SEEN_WITHIN_MS = 3000
const SEEN_POLL_MS = 15

/** The clock of the stand-ins. The file holds `{ "offsetMs": n }` and is watched by the site. */
export function openClock(file: string | null): Clock {
  let offsetMs = file ? readOffset(file) : 0
  return {
    now: () => Date.now() + offsetMs,
    offset: () => offsetMs,
    async setOffset(next) {
      offsetMs = next
      if (!file) return
      mkdirSync(dirname(file), { recursive: true })
      const fresh = `${file}.${process.pid}.new`
      writeFileSync(fresh, JSON.stringify({ offsetMs }))
      renameSync(fresh, file)
      await waitUntilSeen(file, offsetMs)
    },
  }
}

function readOffset(file: string): number {
  if (!existsSync(file)) return 0
  try {
    const { offsetMs } = JSON.parse(readFileSync(file, 'utf8')) as { offsetMs?: unknown }
    return typeof offsetMs === 'number' ? offsetMs : 0
  } catch {
    return 0
  }
}

/** Each instance of the site records what it last read in `clock.seen.<pid>.json` next to the clock file. */
async function waitUntilSeen(file: string, offsetMs: number): Promise<void> {
  const until = Date.now() + SEEN_WITHIN_MS
  const folder = dirname(file)
  const prefix = `${basename(file, '.json')}.seen.`
  while (Date.now() < until) {
    const notes = readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith('.json'))
    const waiting = notes.filter((name) => {
      const pid = Number(name.slice(prefix.length, -'.json'.length))
      return isAlive(pid) && readOffset(join(folder, name)) !== offsetMs
    })
    if (waiting.length === 0) return
    await sleep(SEEN_POLL_MS)
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
