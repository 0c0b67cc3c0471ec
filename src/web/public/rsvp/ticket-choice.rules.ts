import { formatMoney } from '#contract/money.ts'
import type { PublicRsvpSettings } from '#contract/public/rsvp.ts'
import {
  changeTickets,
  countOf,
  personsOn,
  ticketsCost,
  type OfferedTicketKind,
  type PartyTicket,
  type TicketChoice,
} from '#contract/tickets/tickets.ts'

type OfferedTickets = NonNullable<PublicRsvpSettings['tickets']>

/** The kinds that a form shows: what is offered, and what the party has although it is no longer offered. */
export function kindsOf(tickets: OfferedTickets | null, held: readonly PartyTicket[] = []): OfferedTicketKind[] {
  const offered = tickets?.kinds ?? []
  const gone = held.filter(({ kind }) => offered.every(({ key }) => key !== kind))
  return [
    ...offered,
    ...[...new Map(gone.map((ticket) => [ticket.kind, ticket])).values()].map(({ kind, name, seats, fullPrice }) => ({
      key: kind,
      name,
      seats,
      price: fullPrice,
      memberPrice: fullPrice,
      left: 0,
      levels: [],
      mayChoose: true,
    })),
  ]
}

/** The most tickets of a kind that the form offers. */
export function mostOf(
  { key, seats, levels, mayChoose }: OfferedTicketKind,
  { guestsMax, held }: { guestsMax: number; held: readonly PartyTicket[] | null },
): number {
  const own = countOf(held ?? [], key)
  const bySeats = Math.max(own, Math.floor((1 + guestsMax) / seats))
  if (levels.length === 0) return bySeats
  // One for each member, who logs in for it: a link of an RSVP adds none.
  return held || !mayChoose ? own : Math.min(1, bySeats)
}

export function personsIn(kinds: readonly OfferedTicketKind[], chosen: TicketChoice): number {
  return personsOn(kinds.map(({ key, seats }) => ({ seats, count: countOf(chosen, key) })))
}

/** '$80, for 10 people, members $60, 3 left'. */
export function kindText({ price, memberPrice, seats, left, levels }: OfferedTicketKind, currency: string): string {
  const money = (cents: number) => (cents === 0 ? 'free' : formatMoney(cents, currency))
  const parts = [
    money(price),
    seats > 1 && `for ${seats} people`,
    memberPrice < price && `members ${money(memberPrice)}`,
    levels.length > 0 && `only for ${levels.join(' and ')}, one each`,
    left === 0 ? 'none left' : left !== null && left <= 20 && `${left} left`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** The first kind of which fewer are left than are chosen, besides those that the party has. */
export function findShortKind(
  kinds: readonly OfferedTicketKind[],
  chosen: TicketChoice,
  held: readonly PartyTicket[] = [],
): OfferedTicketKind | null {
  const isShort = ({ key, left }: OfferedTicketKind) =>
    left !== null && countOf(chosen, key) - countOf(held, key) > left
  return kinds.find(isShort) ?? null
}

/** What a change costs; negative for what is refunded until the refund deadline. The server decides. @param paid and not refunded */
export function changeCost(
  held: readonly PartyTicket[],
  kinds: readonly OfferedTicketKind[],
  chosen: TicketChoice,
  paid: number,
): number {
  const [had, has] = [ticketsCost(held), ticketsCost(changeTickets(held, kinds, chosen))]
  return has < had ? 0 - Math.max(0, Math.min(had, paid) - has) : Math.max(0, has - Math.max(had, paid))
}
