import type { AppContext } from '#server/app-context.ts'
import { messages } from '#contract/messages.ts'
import type { Tx } from '#server/db/database.ts'
import { fieldProblem } from '#server/lib/problem.ts'
import type { RsvpSettings } from '../rsvp-settings.queries.ts'
import { changeParty, countTakenSeats, setRsvpStatus, type Party, type Rsvp } from '../rsvp.repository.ts'
import { hasRoomFor, partySize } from '../rsvp.rules.ts'
import { hasTicketsLeft } from '../tickets/ticket-counts.repository.ts'
import type { ReservedOrder, RsvpCheckoutService } from './rsvp-checkout.service.ts'
import type { RsvpOrder } from './rsvp-order.queries.ts'
import { costOf, isRefundable, paidGuests, partyCost, seatLines, ticketChange } from './rsvp-price.rules.ts'
import { listSeatPayments } from './rsvp-refund.repository.ts'
import { queuePartyRefund } from './rsvp-refunds.service.ts'
import { queueRsvpEmail, type Waitlist } from './waitlist.service.ts'

interface Applied {
  /** What is paid before the change is made. */
  reserved: ReservedOrder | null
  /** The order that the change replaces. */
  givenUp: RsvpOrder | null
}

/** Changes of a party that has an RSVP. */
export function createRsvpChanges(
  { clock, cache, timeZone }: AppContext,
  { checkouts, waitlist }: { checkouts: RsvpCheckoutService; waitlist: Waitlist },
) {
  async function changeSeats(tx: Tx, settings: RsvpSettings, rsvp: Rsvp, party: Party): Promise<Applied> {
    const now = clock.now()
    const { id, eventId, status, email } = rsvp
    const givenUp = email === null ? null : await checkouts.findOpen(tx, { eventId, email })
    const others =
      (await countTakenSeats(tx, eventId, now)) - (status === 'waiting' ? 0 : partySize(rsvp)) - (givenUp?.seats ?? 0)
    const grows = party.guests > rsvp.guests
    if (status !== 'waiting' && grows && !hasRoomFor(settings.capacity, others, partySize(party)))
      throw fieldProblem('guests', messages.rsvp.guestsFew)
    const prices = { own: rsvp.ownPrice, guest: rsvp.guestPrice }
    const left = (await listSeatPayments(tx, { rsvpId: id })).reduce((sum, payment) => sum + payment.left, 0)
    const covered = paidGuests(prices, { guests: rsvp.guests, left })
    if (status === 'coming' && prices.guest > 0 && party.guests > covered && email !== null) {
      const title = cache.content().events.get(eventId)?.title ?? ''
      const seats = party.guests - rsvp.guests
      const lines = seatLines(prices, { guests: party.guests, from: covered })
      const wanted = { eventId, title, rsvpId: id, email, party, prices, lines, seats }
      return { reserved: await checkouts.reserve(tx, wanted), givenUp: null }
    }
    const less = partyCost(prices, rsvp.guests) - partyCost(prices, party.guests)
    if (email !== null) await checkouts.closeOpenOrder(tx, { eventId, email })
    await changeParty(tx, id, party, now)
    if (status === 'coming' && less > 0 && isRefundable(settings.refundUntil, now, timeZone))
      await queuePartyRefund(tx, { rsvpId: id, amount: less }, { reason: 'fewer', askedBy: 'guest' }, now)
    if (status === 'paying' && partyCost(prices, party.guests) === 0)
      await setRsvpStatus(tx, id, { status: 'coming', now })
    await waitlist.promote(tx, settings, now)
    await queueRsvpEmail(tx, id, 'changed', now)
    return { reserved: null, givenUp }
  }

  async function changeTickets(tx: Tx, settings: RsvpSettings, rsvp: Rsvp, party: Party): Promise<Applied> {
    const now = clock.now()
    const { id, eventId, status, email, tickets: before } = rsvp
    const open = email === null ? null : await checkouts.findOpen(tx, { eventId, email })
    const seats = Math.max(0, party.guests - rsvp.guests)
    if (status !== 'waiting') {
      const taken = (await countTakenSeats(tx, eventId, now)) - (open?.seats ?? 0)
      const hasTickets = await hasTicketsLeft(
        tx,
        settings,
        { tickets: party.tickets, before },
        { now, orderId: open?.id },
      )
      if (!hasTickets || (seats > 0 && !hasRoomFor(settings.capacity, taken, seats)))
        throw fieldProblem('tickets', messages.rsvp.ticketsFew)
    }
    const left = (await listSeatPayments(tx, { rsvpId: id })).reduce((sum, payment) => sum + payment.left, 0)
    const { due, lines, less } = ticketChange(before, party.tickets, left)
    if (status === 'coming' && due > 0 && email !== null) {
      const title = cache.content().events.get(eventId)?.title ?? ''
      const wanted = {
        eventId,
        title,
        rsvpId: id,
        email,
        party,
        prices: { own: rsvp.ownPrice, guest: rsvp.guestPrice },
        lines,
        seats,
      }
      return { reserved: await checkouts.reserve(tx, { ...wanted, baseTickets: before }), givenUp: null }
    }
    if (email !== null) await checkouts.closeOpenOrder(tx, { eventId, email })
    await changeParty(tx, id, party, now)
    if (status === 'coming' && less > 0 && isRefundable(settings.refundUntil, now, timeZone))
      await queuePartyRefund(tx, { rsvpId: id, amount: less }, { reason: 'fewer', askedBy: 'guest' }, now)
    if (status === 'paying' && costOf({ ...rsvp, ...party }) === 0)
      await setRsvpStatus(tx, id, { status: 'coming', now })
    await waitlist.promote(tx, settings, now)
    await queueRsvpEmail(tx, id, 'changed', now)
    return { reserved: null, givenUp: open }
  }

  return {
    /**
     * Applies a change immediately if it costs nothing extra, and refunds the difference until the refund deadline. A change that costs more is applied
     * once it is paid. Call with the RSVP settings locked.
     * @throws Problem INVALID_INPUT if the seats or tickets are taken
     */
    apply: (tx: Tx, settings: RsvpSettings, rsvp: Rsvp, party: Party): Promise<Applied> =>
      rsvp.tickets.length > 0 ? changeTickets(tx, settings, rsvp, party) : changeSeats(tx, settings, rsvp, party),
  }
}
