import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface ProcessStats {
  memory(): { resident: number; heapUsed: number; heapTotal: number; external: number }
  /** Open files and connections; null on systems without /proc. */
  openFiles(): number | null
  /** Event loop lag since the last call, in seconds. */
  lag(): { p50: number; p99: number; max: number }
  startedAt: number
  stop(): void
}

const RESOLUTION_MS = 20
const NANOSECONDS = 1e9

/** Measures memory, open files and event loop lag of this process. */
export function measureProcess(): ProcessStats {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  return {
    startedAt: Date.now() - process.uptime() * 1_000,
    memory() {
      const { rss: resident, heapUsed, heapTotal, external } = process.memoryUsage()
      return { resident, heapUsed, heapTotal, external }
    },
    openFiles() {
      try {
        return readdirSync('/proc/self/fd').length
      } catch {
        return null
      }
    },
    lag() {
      // The measured delay includes the timer's own interval.
      const excess = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1_000)
      const lag = { p50: excess(delay.percentile(50)), p99: excess(delay.percentile(99)), max: excess(delay.max) }
      delay.reset()
      return lag
    },
    stop: () => void delay.disable(),
  }
}

const PACKAGE = join(import.meta.dirname, '../../../package.json')

/** Returns the running release: the package version and the build folder's name, which is the hash of its sources. */
export function readRelease(buildDirectory: string | null): { version: string; build: string } {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }
  return { version, build: buildDirectory === null ? 'none' : basename(buildDirectory) }
}
