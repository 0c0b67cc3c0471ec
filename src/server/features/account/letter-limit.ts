import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import { nameKey } from './account.repository.ts'

/**
 * Counts one more letter that somebody asks for in the name of an address, and says whether its hour has room for it. Links to verify, to reset a password and to change an address share the count; instances share it too.
 */
export async function hasRoomForLetter(limiter: RateLimiter, email: string, limit: Limit): Promise<boolean> {
  const { allowed } = await limiter.hit('letters', nameKey(email), limit)
  return allowed
}
