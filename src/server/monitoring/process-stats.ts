import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface ProcessFacts {
  memory(): { resident: number; heapUsed: number; heapTotal: number; external: number }
  /** Open files and connections; null where the system does not tell it this way. */
  openFiles(): number | null
  /** How late timers ran since it was asked last, in seconds. */
  lag(): { p50: number; p99: number; max: number }
  startedAt: number
  stop(): void
}

const RESOLUTION_MS = 20
const NANOSECONDS = 1e9

/** What the operating system and the event loop say of this process. */
export function watchProcess(): ProcessFacts {
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
      // What is measured holds the waiting that was asked for.
      const late = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1_000)
      const lag = { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) }
      delay.reset()
      return lag
    },
    stop: () => void delay.disable(),
  }
}
