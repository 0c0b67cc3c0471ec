import type { Db } from '../db/database.ts'
import type { Clock } from './clock.ts'
import { countHit, readHits } from './rate-limit.repository.ts'
import type { Secrets } from './secrets.ts'
import { WIDER_FACTOR, widerNetwork } from './wider-network.ts'

/** So many in so long. */
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

/** Counts kept in the database, so that instances share them. Subjects are stored as keyed hashes. */
export interface RateLimiter {
  /** Counts one more, or as many as `amount` says, and says whether that is still within the limit. */
  hit(name: string, subject: string, limit: Limit, amount?: number): Promise<Verdict>
  /** The same for an address, and for the network around it under a wider limit; the refusal names the limit of the address. */
  hitAddress(name: string, address: string, limit: Limit, amount?: number): Promise<Verdict>
  /** Says whether one more would be within the limit, without counting. */
  peek(name: string, subject: string, limit: Limit): Promise<Verdict>
}

/** @param factor multiplies every limit; null lets everything pass (`RATE_LIMITS`). */
export function createRateLimiter(db: Db, clock: Clock, secrets: Secrets, factor: number | null): RateLimiter {
  const keyOf = (name: string, subject: string) => `${name}:${secrets.sign('address-hash', subject).slice(0, 22)}`

  function judge(count: number, endsAt: number, { limit, windowSeconds }: Limit): Verdict {
    const effective = factor === null ? Infinity : limit * factor
    return {
      allowed: count <= effective,
      retryAfter: Math.max(1, Math.ceil((endsAt - clock.now()) / 1_000)),
      limit,
      window: windowSeconds,
    }
  }

  async function hit(name: string, subject: string, limit: Limit, amount = 1): Promise<Verdict> {
    if (factor === null) return judge(0, clock.now(), limit)
    const windowMs = limit.windowSeconds * 1_000
    const { count, endsAt } = await countHit(db, keyOf(name, subject), windowMs, clock.now(), amount)
    return judge(count, endsAt, limit)
  }

  return {
    hit,
    async hitAddress(name, address, limit, amount) {
      const own = await hit(name, address, limit, amount)
      const network = widerNetwork(address)
      // What is refused already does not use up what its neighbors have.
      if (!own.allowed || network === null) return own
      const wider = await hit(name, network, { ...limit, limit: limit.limit * WIDER_FACTOR }, amount)
      return wider.allowed ? own : { ...wider, limit: limit.limit }
    },
    async peek(name, subject, limit) {
      if (factor === null) return judge(0, clock.now(), limit)
      const { count, endsAt } = await readHits(db, keyOf(name, subject), clock.now())
      return judge(count + 1, endsAt, limit)
    },
  }
}
