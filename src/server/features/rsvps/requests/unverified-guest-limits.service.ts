import type { AppContext } from '#server/app-context.ts'
import { personsOn, priceTickets, ticketsCost, type TicketChoice } from '#contract/tickets/tickets.ts'
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
      {
        eventId,
        email,
        guests,
        tickets = [],
      }: { eventId: string; email: string; guests: number; tickets?: TicketChoice | undefined },
      { isMember, isProven, address }: { isMember: boolean; isProven: boolean; address: string },
    ): Promise<void> {
      const settings = await findRsvpSettings(db, eventId)
      if (!settings) return
      const chosen = priceTickets(settings.kinds, tickets, { isMember })
      const usesTickets = settings.kinds.length > 0
      const cost = usesTickets ? ticketsCost(chosen) : partyCost(pricesFor(settings, isMember), guests)
      if (cost === 0) {
        if (isProven) return
        const seats = usesTickets ? Math.max(1, personsOn(chosen)) : 1 + guests
        await guard.countAddress('rsvpSeatsHeld', address, seats)
        await guard.count('rsvpSeatsHeldOverall', ALL_VISITORS, seats)
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
