import type { OrderLine } from '#server/stripe/payment-gateway.ts'
import { endOfDay } from '#server/features/content-store/event-times.rules.ts'
import { sameTickets, ticketsCost, type PartyTicket } from '#contract/tickets/tickets.ts'
import { hasRoomFor, partySize } from '../rsvp.rules.ts'

/** Cents agreed with one party: for the person who made the RSVP, and per guest. */
export interface Prices {
  own: number
  guest: number
}

/** What a party agreed to. */
export interface Agreed {
  ownPrice: number
  guestPrice: number
  guests: number
  tickets: readonly PartyTicket[]
}

/** Cents for the whole party: for its tickets, or else for its seats. */
export function costOf({ ownPrice, guestPrice, guests, tickets }: Agreed): number {
  return tickets.length > 0 ? ticketsCost(tickets) : partyCost({ own: ownPrice, guest: guestPrice }, guests)
}

/** The line items of a whole party. */
export function partyLines(party: Agreed): OrderLine[] {
  const { ownPrice, guestPrice, guests, tickets } = party
  if (tickets.length > 0) return ticketOrderLines(tickets)
  return seatLines({ own: ownPrice, guest: guestPrice }, { guests, from: null })
}

/** The card provider takes no less; a smaller difference is not charged. */
const SMALLEST_CHARGE = 50

/**
 * What a party pays or is refunded for other tickets. Tickets given up too late for a refund are still paid for, and what was not charged is not refunded.
 * @param left what it paid and was not refunded
 */
export function ticketChange(
  before: readonly PartyTicket[],
  after: readonly PartyTicket[],
  left: number,
): { due: number; lines: OrderLine[]; less: number } {
  const [had, has] = [ticketsCost(before), ticketsCost(after)]
  const due = has - Math.max(had, left)
  if (due < SMALLEST_CHARGE) return { due: 0, lines: [], less: Math.max(0, Math.min(had, left) - has) }
  const added = after.flatMap((ticket) => {
    const { kind, price, count } = ticket
    const known = before.find((one) => one.kind === kind && one.price === price)?.count ?? 0
    return count > known ? [{ ...ticket, count: count - known }] : []
  })
  const lines = ticketOrderLines(added)
  const isSum = lines.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0) === due
  return { due, lines: isSum ? lines : [{ name: 'Change of tickets', amount: due, quantity: 1 }], less: 0 }
}

function ticketOrderLines(tickets: readonly PartyTicket[]): OrderLine[] {
  return tickets
    .filter(({ price }) => price > 0)
    .map(({ name, price, fullPrice, count }) => ({
      name: price < fullPrice ? `${name}, member` : name,
      amount: price,
      quantity: count,
    }))
}

interface Priced {
  price: number | null
  memberPrice: number | null
}

/** The prices of an event for one party. The member price applies only to the member's own seat. */
export function pricesFor({ price, memberPrice }: Priced, isMember: boolean): Prices {
  if (price === null) return { own: 0, guest: 0 }
  return { own: isMember ? (memberPrice ?? price) : price, guest: price }
}

export function partyCost({ own, guest }: Prices, guests: number): number {
  return own + guest * guests
}

/** How many guests a party has paid for: its current guests, or more if some were removed without a refund. */
export function paidGuests({ own, guest }: Prices, { guests, left }: { guests: number; left: number }): number {
  return guest === 0 ? guests : Math.max(guests, Math.floor((left - own) / guest))
}

/** One line per kind of seat, for the whole party or, with `from`, for added guests. Free seats are left out. */
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

/** Whether canceling now gives a refund: until the end of the last refund day. */
export function isRefundable(refundUntil: string | null, now: number, timeZone: string): boolean {
  return refundUntil !== null && now < endOfDay(refundUntil, timeZone)
}

const HOUR_MS = 3_600_000
const PAY_WITHIN_MS = 48 * HOUR_MS
/** A shorter time to read an email and pay is not offered. */
const SHORTEST_MS = 2 * HOUR_MS

/**
 * The payment deadline for a party promoted from the waitlist: two days, but at most until the event's day begins. null if too little time is left;
 * then parties that would have to pay are no longer promoted.
 * @param eventDay start of the event's first day
 */
export function paymentDeadline(eventDay: number | null, now: number): number | null {
  if (eventDay === null) return null
  const until = Math.min(now + PAY_WITHIN_MS, eventDay)
  return until - now < SHORTEST_MS ? null : until
}

interface PaidParty {
  /** null if the order does not belong to an existing RSVP. */
  rsvpId: string | null
  /** The party as ordered, and the seats that the order holds in addition to those of its RSVP. */
  guests: number
  seats: number
  /** Its tickets once it is paid, and those of its RSVP when it was made. */
  tickets: readonly PartyTicket[]
  baseTickets: readonly PartyTicket[]
  /** Whether the order was still open, so that its seats were held. */
  isHolding: boolean
}

/**
 * Decides what a payment leads to, however late it is reported. It is seated, or it is refunded because the address already has its seats (`twice`),
 * no seats are left (`no-seat`), or the event was canceled (`called-off`).
 */
export function paymentOutcome(
  { rsvpId, guests, seats, tickets, baseTickets, isHolding }: PaidParty,
  rsvp: {
    status: 'coming' | 'paying' | 'waiting' | 'cancelled'
    guests: number
    tickets: readonly PartyTicket[]
  } | null,
  {
    capacity,
    taken,
    hasTickets,
    isCalledOff,
  }: {
    capacity: number | null
    taken: number
    /** Whether the limits of its kinds of tickets leave enough. */
    hasTickets: boolean
    isCalledOff: boolean
  },
): 'seated' | 'twice' | 'no-seat' | 'called-off' {
  if (isCalledOff) return 'called-off'
  if (rsvpId === null) {
    if (rsvp?.status === 'coming') return 'twice'
    // The seats that this address was promoted to from the waitlist are replaced by these.
    const others = taken - (rsvp?.status === 'paying' ? partySize(rsvp) : 0)
    return isHolding || (hasTickets && hasRoomFor(capacity, others, seats)) ? 'seated' : 'no-seat'
  }
  if (rsvp?.status === 'paying') {
    const isSame = rsvp.guests === guests && sameTickets(rsvp.tickets, tickets)
    return isSame && seats === 0 ? 'seated' : 'no-seat'
  }
  if (rsvp?.status !== 'coming') return 'no-seat'
  if (baseTickets.length > 0) {
    if (sameTickets(rsvp.tickets, tickets)) return 'twice'
    if (!sameTickets(rsvp.tickets, baseTickets)) return 'no-seat'
    return isHolding || (hasTickets && hasRoomFor(capacity, taken, seats)) ? 'seated' : 'no-seat'
  }
  if (seats === 0) return 'twice'
  if (rsvp.guests + seats !== guests) return 'no-seat'
  return isHolding || hasRoomFor(capacity, taken, seats) ? 'seated' : 'no-seat'
}

/**
 * Cents of refunds that were made but did not reach the guest, because they failed at the bank or were canceled. After a lost dispute the guest has
 * the money.
 */
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

/** Splits a refund over payments, newest first, capped at the unrefunded amount of each. */
export function refundPlan(
  payments: readonly { id: string; left: number; paidAt: number }[],
  amount: number,
): { id: string; amount: number }[] {
  let remaining = amount
  return payments
    .toSorted((a, b) => b.paidAt - a.paidAt)
    .flatMap(({ id, left }) => {
      const part = Math.min(left, remaining)
      remaining -= part
      return part > 0 ? [{ id, amount: part }] : []
    })
}
