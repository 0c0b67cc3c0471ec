import type { AppContext } from '#server/app-context.ts'
import { HOLD_MINUTES, type OwnRsvp } from '#contract/public/rsvp.ts'
import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { toRsvpRuleInput } from '../event-rsvp.service.ts'
import { saveRsvp } from '../keep-rsvp.service.ts'
import { lockRsvpSettings } from '../rsvp-settings.repository.ts'
import { costOf } from '../orders/rsvp-price.rules.ts'
import { hasTicketsLeft } from '../tickets/ticket-counts.repository.ts'
import type { RsvpQueries } from '../rsvp-view.service.ts'
import { countHeldByMailbox, saveRequest, releaseMailbox, type RsvpRequest } from './rsvp-request.repository.ts'
import {
  countSeatsOfMailbox,
  countTakenSeats,
  findRsvp,
  type AgreedPrices,
  type Party,
  type Rsvp,
} from '../rsvp.repository.ts'
import { hasRoomFor, rsvpState, partySize } from '../rsvp.rules.ts'
import { queueRsvpEmail, type Waitlist } from '../orders/waitlist.service.ts'

const MINUTE_MS = 60_000

/** RSVPs from unconfirmed addresses. Their seats are held for a while and count once the link in the email is confirmed. */
export function createRsvpRequests(
  { db, clock, timeZone, wakeOutbox, cache }: AppContext,
  {
    reading,
    waitlist,
  }: {
    reading: Pick<RsvpQueries, 'read' | 'require' | 'request' | 'describe'>
    waitlist: Waitlist
  },
) {
  /** Turns a request into seats or a waitlist entry. Call with the RSVP settings locked. */
  async function seatOrWaitlist(tx: Tx, pending: RsvpRequest): Promise<void> {
    const now = clock.now()
    const { eventId, email } = pending
    const settings = await lockRsvpSettings(tx, eventId)
    const event = cache.content().events.get(eventId)
    // Someone else may have sent the form with another spelling; the seats that it holds belong to this mailbox.
    const holding = await countHeldByMailbox(tx, { eventId, email }, now)
    const state = settings && event ? rsvpState(toRsvpRuleInput(settings, event, timeZone), 0, now) : 'none'
    const isTaking = state === 'open' || state === 'full' || (state === 'closed' && holding > 0)
    if (!settings || !isTaking) throw new Problem('RSVP_CLOSED')
    const seats = partySize(pending)
    if ((await countSeatsOfMailbox(tx, eventId, email)) + seats > 1 + settings.guestsMax)
      throw new Problem('RSVP_MAILBOX_FULL')
    const taken = (await countTakenSeats(tx, eventId, now)) - holding
    await releaseMailbox(tx, { eventId, email })
    const owes = costOf(pending) > 0
    const hasTickets = await hasTicketsLeft(tx, settings, pending, { now, email })
    const hasSeat = !owes && hasTickets && hasRoomFor(settings.capacity, taken, seats)
    await saveRsvp(tx, { ...pending, status: hasSeat ? 'coming' : 'waiting' }, now)
    // Newly free seats are held for parties that owe a payment, and held seats that are not needed go to the waitlist.
    if (owes || holding > 0) await waitlist.promote(tx, settings, now)
  }

  return {
    /**
     * Holds `seats` and emails the address. Seats are also held for an address that already has some: the number of seats left must not reveal that.
     * Call with the RSVP settings locked.
     */
    async hold(
      tx: Tx,
      asked: Party & AgreedPrices & { eventId: string; email: string; seats: number },
      { known, pending }: { known: Rsvp | null; pending: RsvpRequest | null },
    ): Promise<void> {
      const now = clock.now()
      const heldUntil = now + HOLD_MINUTES * MINUTE_MS
      const id = known?.id ?? pending?.id ?? newId(now)
      await saveRequest(tx, { ...asked, id, heldUntil, askedAt: now })
      await queueRsvpEmail(tx, id, known && known.status !== 'cancelled' ? 'again' : 'confirm', now)
    },

    /** Confirms an RSVP through the emailed link. Idempotent. @throws Problem RSVP_LINK_INVALID, RSVP_CLOSED, RSVP_MAILBOX_FULL */
    async confirm(token: string): Promise<OwnRsvp> {
      const asked = await reading.request(db, token)
      if (!asked) {
        if ((await reading.require(db, token)).status === 'cancelled') throw new Problem('RSVP_LINK_INVALID')
        return reading.read(token)
      }
      await db.transaction().execute(async (tx) => {
        await lockRsvpSettings(tx, asked.eventId)
        const pending = await reading.request(tx, token)
        // On a double click, the other request has already confirmed it.
        if (pending) await seatOrWaitlist(tx, pending)
      })
      wakeOutbox()
      return reading.read(token)
    },

    /** Returns null and withdraws nothing if it was confirmed in the meantime. */
    async withdraw(asked: RsvpRequest): Promise<OwnRsvp | null> {
      const { id, eventId, email } = asked
      const isWithdrawn = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const settings = await lockRsvpSettings(tx, eventId)
        const confirmed = await findRsvp(tx, id)
        if (confirmed && confirmed.status !== 'cancelled') return false
        await releaseMailbox(tx, { eventId, email })
        const event = cache.content().events.get(eventId)
        const startsAt = event && settings ? toRsvpRuleInput(settings, event, timeZone).startsAt : null
        if (settings && startsAt !== null && now < startsAt) await waitlist.promote(tx, settings, now)
        return true
      })
      if (!isWithdrawn) return null
      wakeOutbox()
      return reading.describe(asked, 'cancelled')
    },
  }
}

export type RsvpRequests = ReturnType<typeof createRsvpRequests>
