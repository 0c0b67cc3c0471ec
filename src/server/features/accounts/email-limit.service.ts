import type { Limit, RateLimiter } from '#server/limits/rate-limiter.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'

/**
 * Counts one more requested email to an address; returns whether it is within the hourly limit. Verification, password
 * reset and email change links share the counter, across instances.
 */
export async function countRequestedEmail(limiter: RateLimiter, email: string, limit: Limit): Promise<boolean> {
  const { allowed } = await limiter.hit('emails', nameKey(email), limit)
  return allowed
}
