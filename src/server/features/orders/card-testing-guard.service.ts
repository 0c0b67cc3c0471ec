import type { AppContext } from '#server/app-context.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Verdict } from '#server/limits/rate-limiter.ts'
import type { Settings } from '#server/features/content-store/settings.schema.ts'

type LimitName = keyof Settings['rateLimits']

/** The subject of a limit that all visitors share. */
export const ALL_VISITORS = 'everybody'
const ALARM_EVERY_MS = 60_000

/**
 * Limits what unknown visitors may open or hold, and alerts the officers once when many requests are rejected (docs/product-rules.md#card-testing).
 * @param refusals the limit above which the officers are alerted
 */
export function createCardTestingGuard({ clock, alerts, limiter, settings }: AppContext, refusals: LimitName) {
  const limits = () => settings().rateLimits
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
    /** @throws Problem RATE_LIMITED */
    async count(name: LimitName, subject: string, amount?: number): Promise<void> {
      await refuseUnlessAllowed(await limiter.hit(name, subject, limits()[name], amount))
    },
    /** Same as `count`, for a visitor's IP address and its network. @throws Problem RATE_LIMITED */
    async countAddress(name: LimitName, address: string, amount?: number): Promise<void> {
      await refuseUnlessAllowed(await limiter.hitAddress(name, address, limits()[name], amount))
    },
  }
}
