import type { Clock } from '#server/lib/clock.ts'
import { Problem } from '#server/lib/problem.ts'
import { WIDER_FACTOR, widerNetwork } from '#server/limits/wider-network.ts'

/** Limits read-only calls, counted in the memory of each process so that a read never writes; IPv6 also by the surrounding network. */
export interface MemoryLimiter {
  /** @throws Problem RATE_LIMITED */
  hit(subject: string): void
}

const LIMIT = 600
const WINDOW_MS = 60_000

export function createMemoryLimiter(clock: Clock, factor: number | null): MemoryLimiter {
  let counts = new Map<string, number>()
  let windowEndsAt = 0

  function add(subject: string): number {
    const count = (counts.get(subject) ?? 0) + 1
    counts.set(subject, count)
    return count
  }

  return {
    hit(subject) {
      if (factor === null) return
      const now = clock.now()
      if (now >= windowEndsAt) {
        counts = new Map()
        windowEndsAt = now + WINDOW_MS
      }
      const network = widerNetwork(subject)
      const isRefused =
        add(subject) > LIMIT * factor || (network !== null && add(network) > LIMIT * WIDER_FACTOR * factor)
      if (isRefused) {
        const retryAfter = Math.max(1, Math.ceil((windowEndsAt - now) / 1_000))
        throw new Problem('RATE_LIMITED', { rate: { retryAfter, limit: LIMIT, window: WINDOW_MS / 1_000 } })
      }
    },
  }
}
