import type { Db } from '#server/db/database.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import { nameKey } from '../account/account.repository.ts'
import { createCardTestingGuard, EVERYBODY } from '../billing/card-testing-guard.ts'
import { findOffer } from './offer.repository.ts'
import { findOpenRsvpOrder } from './rsvp-order.repository.ts'
import { costOf, pricesFor } from './rsvp-price.rules.ts'

/** What a stranger may hold or open, and after how many refusals the officers are told. */
type RsvpLimit =
  | 'rsvpSeatsHeld'
  | 'rsvpSeatsHeldOverall'
  | 'rsvpCheckout'
  | 'rsvpCheckoutPerEmail'
  | 'rsvpCheckoutOverall'
  | 'rsvpRefusals'

export interface StrangerLimits {
  /** Whoever is logged in (`isProven`) is known, and is held up by nobody else. @throws Problem RATE_LIMITED */
  count(
    wanted: { eventId: string; email: string; guests: number },
    caller: { isMember: boolean; isProven: boolean; address: string },
  ): Promise<void>
}

export interface StrangerLimitTools {
  db: Db
  clock: Clock
  alarms: Alarms
  limiter: RateLimiter
  limits(): Record<RsvpLimit, Limit>
}

/** Keeps made-up addresses from taking every seat, and stolen cards from being tried out. */
export function createStrangerLimits({ db, ...tools }: StrangerLimitTools): StrangerLimits {
  const guard = createCardTestingGuard<RsvpLimit>({ ...tools, refusals: 'rsvpRefusals' })
  return {
    async count({ eventId, email, guests }, { isMember, isProven, address }) {
      const offer = await findOffer(db, eventId)
      if (!offer) return
      if (costOf(pricesFor(offer, isMember), guests) === 0) {
        if (isProven) return
        await guard.countAddress('rsvpSeatsHeld', address, 1 + guests)
        await guard.count('rsvpSeatsHeldOverall', EVERYBODY, 1 + guests)
        return
      }
      await guard.countAddress('rsvpCheckout', address)
      // Whoever goes back to a page that is open makes no further one.
      if (await findOpenRsvpOrder(db, { eventId, email })) return
      await guard.count('rsvpCheckoutPerEmail', nameKey(email))
      if (!isProven) await guard.count('rsvpCheckoutOverall', EVERYBODY)
    },
  }
}
