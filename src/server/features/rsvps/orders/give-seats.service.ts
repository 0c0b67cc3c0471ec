import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { changeParty, insertRsvp, setAgreedPrices, setRsvpStatus, type Rsvp } from '../rsvp.repository.ts'
import type { RsvpOrder } from './rsvp-order.queries.ts'
import { queueRsvpEmail } from './waitlist.service.ts'

export type OrderedSeats = Pick<
  RsvpOrder,
  'ownPrice' | 'guestPrice' | 'eventId' | 'email' | 'name' | 'guests' | 'meals' | 'tickets'
>

/** Gives a party its seats, with the RSVP settings locked. Returns the id of its RSVP. @param isAhead whether the event is still to come, so that an email about it helps */
export async function giveSeats(
  tx: Tx,
  order: OrderedSeats,
  existing: Rsvp | null,
  { now, isAhead = true }: { now: number; isAhead?: boolean },
): Promise<string> {
  const { ownPrice, guestPrice, eventId, email, name, guests, meals, tickets } = order
  if (!existing) {
    const id = newId(now)
    const rsvp = { id, eventId, email, name, guests, meals, tickets, ownPrice, guestPrice }
    await insertRsvp(tx, { ...rsvp, status: 'coming', isWalkIn: false }, now)
    if (isAhead) await queueRsvpEmail(tx, id, 'said', now)
    return id
  }
  const wasComing = existing.status === 'coming'
  await changeParty(tx, existing.id, order, now)
  if (!wasComing) {
    await setAgreedPrices(tx, existing.id, { ownPrice, guestPrice })
    const asksAgain = existing.status === 'cancelled' && { askedAt: now }
    await setRsvpStatus(tx, existing.id, { status: 'coming', now, ...asksAgain })
  }
  if (isAhead) await queueRsvpEmail(tx, existing.id, wasComing ? 'changed' : 'said', now)
  return existing.id
}
