import type { Db } from '../db/database.ts'
import type { Clock } from './clock.ts'
import { countHit, readHits } from './rate-limit.repository.ts'
import type { Secrets } from './secrets.ts'

/** So many in so long (interface, "Limits"). */
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
  /** Counts one more and says whether it is still within the limit. */
  hit(name: string, subject: string, limit: Limit): Promise<Verdict>
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

  return {
    async hit(name, subject, limit) {
      if (factor === null) return judge(0, clock.now(), limit)
      const { count, endsAt } = await countHit(db, keyOf(name, subject), limit.windowSeconds * 1_000, clock.now())
      return judge(count, endsAt, limit)
    },
    async peek(name, subject, limit) {
      if (factor === null) return judge(0, clock.now(), limit)
      const { count, endsAt } = await readHits(db, keyOf(name, subject), clock.now())
      return judge(count + 1, endsAt, limit)
    },
  }
}
