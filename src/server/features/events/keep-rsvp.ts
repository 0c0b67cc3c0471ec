import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/platform/ids.ts'
import {
  agreePrices,
  changeParty,
  findRsvpByEmail,
  insertRsvp,
  movePlace,
  type AgreedPrices,
  type Party,
} from './rsvp.repository.ts'
import { tellGuest } from './waitlist.ts'

/** Writes down that somebody comes or waits, and tells them. What an address said before stays as it is. Call with the offer held. */
export async function keepRsvp(
  tx: Tx,
  rsvp: Party & AgreedPrices & { id?: string; eventId: string; email: string; place: 'coming' | 'waiting' },
  now: number,
): Promise<void> {
  const known = await findRsvpByEmail(tx, rsvp.eventId, rsvp.email)
  if (!known) {
    const id = rsvp.id ?? newId(now)
    await insertRsvp(tx, { ...rsvp, id, isWalkIn: false }, now)
    return tellGuest(tx, id, 'said', now)
  }
  if (known.place !== 'cancelled') return tellGuest(tx, known.id, 'again', now)
  await changeParty(tx, known.id, rsvp, now)
  await agreePrices(tx, known.id, rsvp)
  await movePlace(tx, known.id, { place: rsvp.place, now, askedAt: now })
  await tellGuest(tx, known.id, 'said', now)
}
