import { messages } from '#contract/messages.ts'
import type { TicketKind } from '#contract/console/rsvp.ts'
import {
  changeTickets,
  countOf,
  personsOn,
  priceTickets,
  type PartyTicket,
  type TicketChoice,
} from '#contract/tickets/tickets.ts'

/** How many tickets of each kind are taken, by the keys of the kinds. */
export type TicketCounts = ReadonlyMap<string, number>

/** What decides about the tickets that a party asks for. */
export interface TicketTerms {
  kinds: readonly TicketKind[]
  guestsMax: number
  /** Whether the address gets the member price. */
  isMember: boolean
  /** The level of a signed-in member for the own address; null otherwise. */
  levelKey: string | null
  /** An officer gives any kind. */
  isOfficer?: boolean
}

/** The tickets of a party, or why it cannot have them. @param held what it has already; null for a new party */
export function decideTickets(
  chosen: TicketChoice,
  held: readonly PartyTicket[] | null,
  { kinds, guestsMax, isMember, levelKey, isOfficer = false }: TicketTerms,
): { tickets: PartyTicket[] } | { fault: string } {
  const before = held ?? []
  const isMore = (key: string) => countOf(chosen, key) > countOf(before, key)
  const keys = new Set(chosen.map(({ kind }) => kind))
  const isOffered = (key: string) => kinds.some((kind) => kind.key === key)
  if ([...keys].some((key) => isMore(key) && !isOffered(key))) return { fault: messages.rsvp.ticketsGone }
  const own = kinds.filter(({ levels }) => levels.length > 0)
  const ownCount = own.reduce((sum, { key }) => sum + countOf(chosen, key), 0)
  const isDenied = ({ key, levels }: TicketKind) =>
    isMore(key) && (levelKey === null || !levels.includes(levelKey) || ownCount > 1)
  if (!isOfficer && own.some(isDenied)) return { fault: messages.rsvp.ticketsOwn }
  const tickets = held ? changeTickets(held, kinds, chosen) : priceTickets(kinds, chosen, { isMember })
  const persons = personsOn(tickets)
  if (persons === 0) return { fault: messages.rsvp.tickets }
  // A party that is larger than is allowed now may stay as it is.
  const isLarger = persons > 1 + guestsMax && persons > personsOn(before)
  return isLarger ? { fault: messages.rsvp.ticketsMany } : { tickets }
}

/** Whether there are tickets of each kind for what a party wants besides those that it has. Kinds without a limit, or that are no longer offered, have. */
export function hasTicketsFor(
  kinds: readonly Pick<TicketKind, 'key' | 'limit'>[],
  taken: TicketCounts,
  wanted: readonly PartyTicket[],
  before: readonly PartyTicket[] = [],
): boolean {
  return kinds.every(({ key, limit }) => {
    const more = countOf(wanted, key) - countOf(before, key)
    return limit === null || more <= 0 || (taken.get(key) ?? 0) + more <= limit
  })
}

/** Adds the tickets of a party to what is taken. */
export function addTickets(
  taken: Map<string, number>,
  tickets: readonly PartyTicket[],
  before: readonly PartyTicket[] = [],
): void {
  for (const key of new Set(tickets.map(({ kind }) => kind))) {
    const more = countOf(tickets, key) - countOf(before, key)
    if (more > 0) taken.set(key, (taken.get(key) ?? 0) + more)
  }
}

/** The tickets free of charge, as an officer gives them. Further ones are not. */
export function freeTickets(tickets: readonly PartyTicket[]): PartyTicket[] {
  return tickets.map((ticket) => ({ ...ticket, price: 0 }))
}

/** What is wrong with the kinds of an event, by the path of the field; empty if nothing is. */
export function findKindFaults({
  kinds,
  price,
  memberPrice,
  guestsMax,
}: {
  kinds: readonly TicketKind[]
  price: number | null
  memberPrice: number | null
  guestsMax: number
}): Record<string, string> {
  const faults: Record<string, string> = {}
  if (kinds.length === 0) return faults
  if (price !== null) faults['price'] = messages.rsvp.kindsAndPrice
  if (memberPrice !== null) faults['memberPrice'] = messages.rsvp.kindsAndPrice
  for (const [index, kind] of kinds.entries()) {
    const others = kinds.slice(0, index)
    if (others.some(({ key, name }) => key === kind.key || name.toLowerCase() === kind.name.toLowerCase()))
      faults[`kinds.${index}.name`] = messages.rsvp.kindName
    if (kind.memberPrice !== null && kind.memberPrice > kind.price)
      faults[`kinds.${index}.memberPrice`] = messages.rsvp.memberPriceHigh
    if (kind.seats > 1 + guestsMax) faults[`kinds.${index}.seats`] = messages.rsvp.kindSeats
  }
  return faults
}
