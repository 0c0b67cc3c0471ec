import type { OrderLine } from '#server/payments/payment-gateway.ts'
import { endOfDay } from './event-times.rules.ts'
import { fits, seatsOf } from './rsvp.rules.ts'

/** Cents agreed with one party: for the person who says so, and for each guest. */
export interface Prices {
  own: number
  guest: number
}

interface Priced {
  price: number | null
  memberPrice: number | null
}

/** What an offer costs somebody. Guests pay what everybody pays; only a member's own seat has the member price. */
export function pricesFor({ price, memberPrice }: Priced, isMember: boolean): Prices {
  if (price === null) return { own: 0, guest: 0 }
  return { own: isMember ? (memberPrice ?? price) : price, guest: price }
}

export function costOf({ own, guest }: Prices, guests: number): number {
  return own + guest * guests
}

/** How many guests a party has paid for: those who come, or more where some were left at home without getting the money back. */
export function paidGuests({ own, guest }: Prices, { guests, left }: { guests: number; left: number }): number {
  return guest === 0 ? guests : Math.max(guests, Math.floor((left - own) / guest))
}

/** One line a kind of seat, for a whole party or, with `from`, for the guests that join it. Seats that cost nothing are left out. */
export function seatLines(
  { own, guest }: Prices,
  { guests, from }: { guests: number; from: number | null },
): OrderLine[] {
  const guestSeats = from === null ? guests : guests - from
  if (from === null && own === guest) return [{ name: 'Seat', amount: own, quantity: 1 + guests }]
  const lines = [
    { name: 'Member’s seat', amount: own, quantity: from === null ? 1 : 0 },
    { name: 'Guest’s seat', amount: guest, quantity: guestSeats },
  ]
  return lines.filter(({ amount, quantity }) => amount > 0 && quantity > 0)
}

/** Whether whoever gives seats back now gets the money back: to the end of the day that the offer names. */
export function isRefundable(refundUntil: string | null, now: number, timeZone: string): boolean {
  return refundUntil !== null && now < endOfDay(refundUntil, timeZone)
}

const HOUR_MS = 3_600_000
const PAY_WITHIN_MS = 48 * HOUR_MS
/** Less than this is no time to read a letter in. */
const SHORTEST_MS = 2 * HOUR_MS

/**
 * Until when somebody may pay who came off the waitlist: two days, and no longer than to the end of the day before the event. null: there is no time
 * for that, so nobody who owes something moves up any more. @param eventDay the first instant of the event's day
 */
export function payBy(eventDay: number | null, now: number): number | null {
  if (eventDay === null) return null
  const until = Math.min(now + PAY_WITHIN_MS, eventDay)
  return until - now < SHORTEST_MS ? null : until
}

interface PaidParty {
  /** null: the order is not about an RSVP that was there. */
  rsvpId: string | null
  /** Of the party as it was ordered, and the seats the order holds besides those of its RSVP. */
  guests: number
  seats: number
  /** Whether it was still being paid, so that its seats were kept. */
  isHolding: boolean
}

/**
 * What a payment becomes when it is heard of, however late: seats; or nothing, since the address has its seats already (`twice`) or there are none any
 * more for it (`no-seat`), or the event was called off meanwhile, and the money goes back.
 */
export function seatPaid(
  { rsvpId, guests, seats, isHolding }: PaidParty,
  rsvp: { place: 'coming' | 'paying' | 'waiting' | 'cancelled'; guests: number } | null,
  { capacity, taken, isCalledOff }: { capacity: number | null; taken: number; isCalledOff: boolean },
): 'seated' | 'twice' | 'no-seat' | 'called-off' {
  if (isCalledOff) return 'called-off'
  if (rsvpId === null) {
    if (rsvp?.place === 'coming') return 'twice'
    // Seats that were kept for the same address off the waitlist are given up for these.
    const others = taken - (rsvp?.place === 'paying' ? seatsOf(rsvp) : 0)
    return isHolding || fits(capacity, others, seats) ? 'seated' : 'no-seat'
  }
  if (rsvp?.place === 'paying') return rsvp.guests === guests && seats === 0 ? 'seated' : 'no-seat'
  if (rsvp?.place !== 'coming') return 'no-seat'
  if (seats === 0) return 'twice'
  if (rsvp.guests + seats !== guests) return 'no-seat'
  return isHolding || fits(capacity, taken, seats) ? 'seated' : 'no-seat'
}

/** Cents of refunds that were made and that the guest has not: the bank sent them back, or they were called back. What a lost dispute took, the guest has. */
export function failedRefunds({
  made,
  amountRefunded,
  dispute,
}: {
  made: number
  amountRefunded: number
  dispute: 'open' | 'won' | 'lost' | null
}): number {
  return dispute === 'lost' ? 0 : Math.max(0, made - amountRefunded)
}

/** From which payments an amount goes back, the newest first; never more than is left of each. */
export function refundPlan(
  payments: readonly { id: string; left: number; paidAt: number }[],
  amount: number,
): { id: string; amount: number }[] {
  let open = amount
  return payments
    .toSorted((a, b) => b.paidAt - a.paidAt)
    .flatMap(({ id, left }) => {
      const part = Math.min(left, open)
      open -= part
      return part > 0 ? [{ id, amount: part }] : []
    })
}
