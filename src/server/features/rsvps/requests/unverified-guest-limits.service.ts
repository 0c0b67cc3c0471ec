import type { AppContext } from '#server/app-context.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { createCardTestingGuard, ALL_VISITORS } from '#server/features/orders/card-testing-guard.service.ts'
import { findRsvpSettings } from '../rsvp-settings.repository.ts'
import { findOpenRsvpOrder } from '../orders/rsvp-order.repository.ts'
import { partyCost, pricesFor } from '../orders/rsvp-price.rules.ts'

/** Prevents made-up addresses from taking every seat, and card testing. */
export function createVisitorLimits(ctx: AppContext) {
  const { db } = ctx
  const guard = createCardTestingGuard(ctx, 'rsvpRefusals')
  return {
    /** Callers signed in with this address (`isProven`) are exempt from the limits that all visitors share. @throws Problem RATE_LIMITED */
    async count(
      { eventId, email, guests }: { eventId: string; email: string; guests: number },
      { isMember, isProven, address }: { isMember: boolean; isProven: boolean; address: string },
    ): Promise<void> {
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
