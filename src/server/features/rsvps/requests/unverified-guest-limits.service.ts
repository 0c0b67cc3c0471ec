import type { Db } from '#server/db/database.ts'
import type { Alerts } from '#server/alerts/alerts.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Limit, RateLimiter } from '#server/limits/rate-limiter.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { createCardTestingGuard, ALL_VISITORS } from '#server/features/orders/card-testing-guard.service.ts'
import { findRsvpSettings } from '../rsvp-settings.repository.ts'
import { findOpenRsvpOrder } from '../orders/rsvp-order.repository.ts'
import { partyCost, pricesFor } from '../orders/rsvp-price.rules.ts'

/** Limits on what visitors may hold or open, and on rejections before the officers are alerted. */
type RsvpLimit =
  | 'rsvpSeatsHeld'
  | 'rsvpSeatsHeldOverall'
  | 'rsvpCheckout'
  | 'rsvpCheckoutPerEmail'
  | 'rsvpCheckoutOverall'
  | 'rsvpRefusals'

export interface VisitorLimits {
  /** Callers signed in with this address (`isProven`) are exempt from the limits that all visitors share. @throws Problem RATE_LIMITED */
  count(
    wanted: { eventId: string; email: string; guests: number },
    caller: { isMember: boolean; isProven: boolean; address: string },
  ): Promise<void>
}

export interface VisitorLimitOptions {
  db: Db
  clock: Clock
  alerts: Alerts
  limiter: RateLimiter
  limits(): Record<RsvpLimit, Limit>
}

/** Prevents made-up addresses from taking every seat, and card testing. */
export function createVisitorLimits({ db, ...tools }: VisitorLimitOptions): VisitorLimits {
  const guard = createCardTestingGuard<RsvpLimit>({ ...tools, refusals: 'rsvpRefusals' })
  return {
    async count({ eventId, email, guests }, { isMember, isProven, address }) {
      const settings = await findRsvpSettings(db, eventId)
      if (!settings) return
      if (partyCost(pricesFor(settings, isMember), guests) === 0) {
        if (isProven) return
        await guard.countAddress('rsvpSeatsHeld', address, 1 + guests)
        await guard.count('rsvpSeatsHeldOverall', ALL_VISITORS, 1 + guests)
        return
      }
      await guard.countAddress('rsvpCheckout', address)
      // Returning to an open payment page creates no new one.
      if (await findOpenRsvpOrder(db, { eventId, email })) return
      await guard.count('rsvpCheckoutPerEmail', nameKey(email))
      if (!isProven) await guard.count('rsvpCheckoutOverall', ALL_VISITORS)
    },
  }
}
