import type { Alerts } from '#server/alerts/alerts.ts'
import type { Clock } from '#server/lib/clock.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Limit, RateLimiter, Verdict } from '#server/limits/rate-limiter.ts'

/** Limits what unknown visitors may open or hold, and alerts the officers once when many requests are rejected. */
export interface CardTestingGuard<Name extends string> {
  /** @throws Problem RATE_LIMITED */
  count(name: Name, subject: string, amount?: number): Promise<void>
  /** Same as `count`, for a visitor's IP address and its network. @throws Problem RATE_LIMITED */
  countAddress(name: Name, address: string, amount?: number): Promise<void>
  recordRejection(): Promise<void>
}

/** The subject of a limit that all visitors share. */
export const ALL_VISITORS = 'everybody'
const ALARM_EVERY_MS = 60_000

/** @param refusals the limit above which the officers are alerted */
export function createCardTestingGuard<Name extends string>({
  clock,
  alerts,
  limiter,
  limits,
  refusals,
}: {
  clock: Clock
  alerts: Alerts
  limiter: RateLimiter
  limits(): Record<Name, Limit>
  refusals: Name
}): CardTestingGuard<Name> {
  let quietUntil = 0

  /** Many rejections within an hour suggest card testing. */
  async function noteRefusal(): Promise<void> {
    const { allowed, limit } = await limiter.hit(refusals, ALL_VISITORS, limits()[refusals])
    if (allowed || clock.now() < quietUntil) return
    quietUntil = clock.now() + ALARM_EVERY_MS
    await alerts.raise('card-testing', { refusals: limit })
  }

  async function refuseUnlessAllowed(verdict: Verdict): Promise<void> {
    if (verdict.allowed) return
    await noteRefusal()
    throw new Problem('RATE_LIMITED', { rate: verdict })
  }

  return {
    recordRejection: noteRefusal,
    async count(name, subject, amount) {
      await refuseUnlessAllowed(await limiter.hit(name, subject, limits()[name], amount))
    },
    async countAddress(name, address, amount) {
      await refuseUnlessAllowed(await limiter.hitAddress(name, address, limits()[name], amount))
    },
  }
}
