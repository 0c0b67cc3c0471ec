import type { Kysely } from 'kysely'
import type { EventDetails } from '#contract/events.ts'
import { HOLD_MINUTES, type OwnRsvp } from '#contract/rsvp.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { Problem } from '#server/platform/problem.ts'
import { offerFacts } from './event-offers.ts'
import { keepRsvp } from './keep-rsvp.ts'
import { holdOffer } from './offer.repository.ts'
import { costOf } from './rsvp-price.rules.ts'
import type { RsvpReading } from './rsvp-reading.ts'
import { countHeldByMailbox, keepRequest, releaseMailbox, type RsvpRequest } from './rsvp-request.repository.ts'
import {
  countSeatsOfMailbox,
  countTaken,
  findRsvp,
  type AgreedPrices,
  type Party,
  type Rsvp,
} from './rsvp.repository.ts'
import { fits, rsvpState, seatsOf } from './rsvp.rules.ts'
import { tellGuest, type Waitlist } from './waitlist.ts'

/** RSVPs from addresses that nobody has proven: their seats are held for a while, and count once the email's button is pressed. */
export interface RsvpRequests {
  /**
   * Holds `seats` and writes to the address. They are held for an address that has seats already, too: a count of what is left must not tell that it has.
   * Call with the offer held.
   */
  hold(
    tx: Tx,
    asked: Party & AgreedPrices & { eventId: string; email: string; seats: number },
    before: { known: Rsvp | null; pending: RsvpRequest | null },
  ): Promise<void>
  /** By the email's button; as often as one likes. @throws Problem RSVP_LINK_INVALID, RSVP_CLOSED, RSVP_MAILBOX_FULL */
  confirm(token: string): Promise<OwnRsvp>
  /** null, and nothing is withdrawn, when it was confirmed meanwhile. */
  withdraw(asked: RsvpRequest): Promise<OwnRsvp | null>
}

const MINUTE_MS = 60_000

export function createRsvpRequests({
  db,
  clock,
  timeZone,
  events,
  reading,
  waitlist,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  events(): ReadonlyMap<string, EventDetails>
  reading: Pick<RsvpReading, 'read' | 'require' | 'request' | 'describe'>
  waitlist: Waitlist
  wakeOutbox(): void
}): RsvpRequests {
  /** Gives what is held its seats, or a place on the waitlist. Call with the offer held. */
  async function take(tx: Tx, pending: RsvpRequest): Promise<void> {
    const now = clock.now()
    const { eventId, email } = pending
    const held = await holdOffer(tx, eventId)
    const event = events().get(eventId)
    // Anybody may have sent the form with another spelling: what that one holds is this mailbox's.
    const holding = await countHeldByMailbox(tx, { eventId, email }, now)
    const state = held && event ? rsvpState(offerFacts(held, event, timeZone), 0, now) : 'none'
    const isTaking = state === 'open' || state === 'full' || (state === 'closed' && holding > 0)
    if (!held || !isTaking) throw new Problem('RSVP_CLOSED')
    const seats = seatsOf(pending)
    if ((await countSeatsOfMailbox(tx, eventId, email)) + seats > 1 + held.guestsMax)
      throw new Problem('RSVP_MAILBOX_FULL')
    const taken = (await countTaken(tx, eventId, now)) - holding
    await releaseMailbox(tx, { eventId, email })
    const owes = costOf({ own: pending.ownPrice, guest: pending.guestPrice }, pending.guests) > 0
    const hasSeat = !owes && fits(held.capacity, taken, seats)
    await keepRsvp(tx, { ...pending, place: hasSeat ? 'coming' : 'waiting' }, now)
    // Seats that came free meanwhile are kept for whoever owes something while they pay; what was held and is not needed goes to whoever waits.
    if (owes || holding > 0) await waitlist.promote(tx, held, now)
  }

  return {
    async hold(tx, asked, { known, pending }) {
      const now = clock.now()
      const heldUntil = now + HOLD_MINUTES * MINUTE_MS
      const id = known?.id ?? pending?.id ?? newId(now)
      await keepRequest(tx, { ...asked, id, heldUntil, askedAt: now })
      await tellGuest(tx, id, known && known.place !== 'cancelled' ? 'again' : 'confirm', now)
    },

    async confirm(token) {
      const asked = await reading.request(db, token)
      if (!asked) {
        if ((await reading.require(db, token)).place === 'cancelled') throw new Problem('RSVP_LINK_INVALID')
        return reading.read(token)
      }
      await db.transaction().execute(async (tx) => {
        await holdOffer(tx, asked.eventId)
        const pending = await reading.request(tx, token)
        // Pressed twice at once, the other one has confirmed it.
        if (pending) await take(tx, pending)
      })
      wakeOutbox()
      return reading.read(token)
    },

    async withdraw(asked) {
      const { id, eventId, email } = asked
      const isWithdrawn = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const held = await holdOffer(tx, eventId)
        const confirmed = await findRsvp(tx, id)
        if (confirmed && confirmed.place !== 'cancelled') return false
        await releaseMailbox(tx, { eventId, email })
        const event = events().get(eventId)
        const startsAt = event && held ? offerFacts(held, event, timeZone).startsAt : null
        if (held && startsAt !== null && now < startsAt) await waitlist.promote(tx, held, now)
        return true
      })
      if (!isWithdrawn) return null
      wakeOutbox()
      return reading.describe(asked, 'cancelled')
    },
  }
}
