import { mkdirSync, readFileSync, watchFile, unwatchFile, writeFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The one source of "now" on the server, in epoch milliseconds. */
export interface Clock {
  now(): number
  /** Stops watching the offset file, so that the process can exit. */
  close(): void
}

export const systemClock: Clock = { now: () => Date.now(), close() {} }

const WATCH_INTERVAL_MS = 25

/**
 * A clock that follows the stand-ins' clock: `clock.json` in the data directory holds `{ offsetMs }`, and `clock.seen.<pid>.json` reports to the stand-ins
 * which offset this process has read. Never used in production.
 */
export function createAdvanceableClock(dataDirectory: string): Clock {
  const file = join(dataDirectory, 'clock.json')
  const seenFile = join(dataDirectory, `clock.seen.${process.pid}.json`)
  let offsetMs = 0

  function read(): void {
    offsetMs = readOffset(file)
    writeFileSync(seenFile, JSON.stringify({ offsetMs }))
  }

  mkdirSync(dataDirectory, { recursive: true })
  read()
  watchFile(file, { interval: WATCH_INTERVAL_MS, persistent: false }, read)
  return {
    now: () => Date.now() + offsetMs,
    close() {
      unwatchFile(file, read)
      rmSync(seenFile, { force: true })
    },
  }
}

function readOffset(file: string): number {
  try {
    const parsed = JSON.parse(readFileSync(file, 'utf8')) as { offsetMs?: unknown }
    return typeof parsed.offsetMs === 'number' && Number.isFinite(parsed.offsetMs) ? parsed.offsetMs : 0
  } catch {
    return 0
  }
}
