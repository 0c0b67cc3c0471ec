import type { Tx } from '#server/db/database.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import type { EventOffer } from './offer.repository.ts'
import { countTaken, listWaiting, movePlace } from './rsvp.repository.ts'
import { promoted } from './rsvp.rules.ts'

/** What a letter about an RSVP tells. */
export type RsvpNews = 'said' | 'again' | 'promoted' | 'changed' | 'cancelled' | 'removed' | 'reminder' | 'certificate'

/** Call in the transaction of the fact. The letter is composed when it is sent, and dropped when it is no longer true. */
export async function tellGuest(tx: Tx, rsvpId: string, about: RsvpNews, now: number): Promise<void> {
  await addToOutbox(tx, { kind: 'letter.rsvp', payload: { rsvpId, about } }, now)
}

/** Gives free seats to whoever waits, and tells them. Call with the offer held. Answers how many parties moved up. */
export async function promoteWaiting(tx: Tx, { eventId, capacity }: EventOffer, now: number): Promise<number> {
  const taken = await countTaken(tx, eventId)
  const parties = promoted(await listWaiting(tx, eventId), { capacity, taken })
  for (const { id } of parties) {
    await movePlace(tx, id, { place: 'coming', now })
    await tellGuest(tx, id, 'promoted', now)
  }
  return parties.length
}
