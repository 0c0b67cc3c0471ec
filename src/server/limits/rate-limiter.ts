import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/lib/clock.ts'
import { countHit, readHits } from './rate-limit.repository.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { WIDER_FACTOR, widerNetwork } from './wider-network.ts'

export interface Limit {
  limit: number
  windowSeconds: number
}

export interface Verdict {
  allowed: boolean
  /** Seconds until the window ends; at least 1. */
  retryAfter: number
  limit: number
  window: number
}

/** Counts in the database, so that instances share them. Subjects are stored as keyed hashes. */
export interface RateLimiter {
  /** Counts `amount` (default 1) and returns whether that is still within the limit. */
  hit(name: string, subject: string, limit: Limit, amount?: number): Promise<Verdict>
  /** Like `hit` for an address, and for its surrounding network under a wider limit; a refusal reports the limit of the address. */
  hitAddress(name: string, address: string, limit: Limit, amount?: number): Promise<Verdict>
  /** Returns whether one more hit would be within the limit, without counting. */
  peek(name: string, subject: string, limit: Limit): Promise<Verdict>
}

/** @param factor multiplies every limit; null disables limits (`RATE_LIMITS`) */
export function createRateLimiter(db: Db, clock: Clock, secrets: Secrets, factor: number | null): RateLimiter {
  const buildKey = (name: string, subject: string) => `${name}:${secrets.sign('address-hash', subject).slice(0, 22)}`

  function toVerdict(count: number, endsAt: number, { limit, windowSeconds }: Limit): Verdict {
    const effective = factor === null ? Infinity : limit * factor
    return {
      allowed: count <= effective,
      retryAfter: Math.max(1, Math.ceil((endsAt - clock.now()) / 1_000)),
      limit,
      window: windowSeconds,
    }
  }

  async function hit(name: string, subject: string, limit: Limit, amount = 1): Promise<Verdict> {
    if (factor === null) return toVerdict(0, clock.now(), limit)
    const windowMs = limit.windowSeconds * 1_000
    const { count, endsAt } = await countHit(db, buildKey(name, subject), windowMs, clock.now(), amount)
    return toVerdict(count, endsAt, limit)
  }

  return {
    hit,
    async hitAddress(name, address, limit, amount) {
      const forAddress = await hit(name, address, limit, amount)
      const network = widerNetwork(address)
      // A refused hit does not count against the network's other addresses.
      if (!forAddress.allowed || network === null) return forAddress
      const forNetwork = await hit(name, network, { ...limit, limit: limit.limit * WIDER_FACTOR }, amount)
      return forNetwork.allowed ? forAddress : { ...forNetwork, limit: limit.limit }
    },
    async peek(name, subject, limit) {
      if (factor === null) return toVerdict(0, clock.now(), limit)
      const { count, endsAt } = await readHits(db, buildKey(name, subject), clock.now())
      return toVerdict(count + 1, endsAt, limit)
    },
  }
}
