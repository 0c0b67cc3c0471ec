import type { EventDetails } from '#contract/events.ts'
import type { Tx } from '#server/db/database.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { eventDayOf } from './event-offers.ts'
import type { EventOffer } from './offer.repository.ts'
import { costOf, payBy } from './rsvp-price.rules.ts'
import { countTaken, listWaiting, movePlace } from './rsvp.repository.ts'
import { promoted } from './rsvp.rules.ts'

/** What a letter about an RSVP tells. */
export type RsvpNews =
  | 'confirm'
  | 'said'
  | 'again'
  | 'promoted'
  | 'lapsed'
  | 'changed'
  | 'cancelled'
  | 'removed'
  | 'called-off'
  | 'reminder'
  | 'certificate'

/** Call in the transaction of the fact. The letter is composed when it is sent, and dropped when it is no longer true. */
export async function tellGuest(tx: Tx, rsvpId: string, about: RsvpNews, now: number): Promise<void> {
  await addToOutbox(tx, { kind: 'letter.rsvp', payload: { rsvpId, about } }, now)
}

export interface Waitlist {
  /**
   * Gives free seats to whoever waits, and tells them. Whoever owes something has some time to pay, in which the seats are kept. Call with the offer
   * held. Answers how many parties moved up.
   */
  promote(tx: Tx, offer: Pick<EventOffer, 'eventId' | 'capacity'>, now: number): Promise<number>
}

export function createWaitlist({
  timeZone,
  events,
}: {
  timeZone: string
  events(): ReadonlyMap<string, EventDetails>
}): Waitlist {
  return {
    async promote(tx, { eventId, capacity }, now) {
      const taken = await countTaken(tx, eventId, now)
      const deadline = payBy(eventDayOf(events().get(eventId), timeZone), now)
      const owes = (one: { ownPrice: number; guestPrice: number; guests: number }) =>
        costOf({ own: one.ownPrice, guest: one.guestPrice }, one.guests) > 0
      // Where there is no time left to pay, seats go to whoever owes nothing.
      const waiting = (await listWaiting(tx, eventId)).filter((one) => deadline !== null || !owes(one))
      const parties = promoted(waiting, { capacity, taken })
      for (const party of parties) {
        const toPay = deadline !== null && owes(party)
        await movePlace(tx, party.id, toPay ? { place: 'paying', payBy: deadline, now } : { place: 'coming', now })
        await tellGuest(tx, party.id, 'promoted', now)
      }
      return parties.length
    },
  }
}
