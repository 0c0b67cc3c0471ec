import type { Alarms } from '#server/platform/alarms.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter, Verdict } from '#server/platform/rate-limiter.ts'

/** Limits on what strangers may open or hold; officers get one alarm when very many are refused. */
export interface CardTestingGuard<Name extends string> {
  /** @throws Problem RATE_LIMITED */
  count(name: Name, subject: string, amount?: number): Promise<void>
  /** The same for the address of a visitor and the network around it. @throws Problem RATE_LIMITED */
  countAddress(name: Name, address: string, amount?: number): Promise<void>
  noteRefusal(): Promise<void>
}

/** The subject of a limit that all share. */
export const EVERYBODY = 'everybody'
const ALARM_EVERY_MS = 60_000

/** @param refusals the limit after which the officers are told */
export function createCardTestingGuard<Name extends string>({
  clock,
  alarms,
  limiter,
  limits,
  refusals,
}: {
  clock: Clock
  alarms: Alarms
  limiter: RateLimiter
  limits(): Record<Name, Limit>
  refusals: Name
}): CardTestingGuard<Name> {
  let quietUntil = 0

  /** Many refusals in an hour are somebody trying out cards. */
  async function noteRefusal(): Promise<void> {
    const { allowed, limit } = await limiter.hit(refusals, EVERYBODY, limits()[refusals])
    if (allowed || clock.now() < quietUntil) return
    quietUntil = clock.now() + ALARM_EVERY_MS
    await alarms.raise('card-testing', { refusals: limit })
  }

  async function refuseUnlessAllowed(verdict: Verdict): Promise<void> {
    if (verdict.allowed) return
    await noteRefusal()
    throw new Problem('RATE_LIMITED', { rate: verdict })
  }

  return {
    noteRefusal,
    async count(name, subject, amount) {
      await refuseUnlessAllowed(await limiter.hit(name, subject, limits()[name], amount))
    },
    async countAddress(name, address, amount) {
      await refuseUnlessAllowed(await limiter.hitAddress(name, address, limits()[name], amount))
    },
  }
}
