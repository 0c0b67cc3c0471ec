import * as z from 'zod/mini'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Tickets of an event with several kinds, such as Adult, Child and Table of ten. An event without kinds has seats only. */

export const TICKET_KINDS_MAX = 10
/** The most persons in a party, and so on one ticket. */
export const PARTY_MAX = 11

const keyField = lineField(messages.text.unreadable, 40)

/** How many tickets of each kind a party wants. */
export const ticketsField = z
  .array(
    z.object({
      kind: keyField,
      count: z
        .int(messages.text.number)
        .check(z.gte(0, messages.rsvp.tickets), z.lte(PARTY_MAX, messages.rsvp.tickets)),
    }),
    messages.rsvp.tickets,
  )
  .check(z.maxLength(2 * TICKET_KINDS_MAX, messages.rsvp.tickets))
export type TicketChoice = z.infer<typeof ticketsField>

/** Tickets of one kind at one price. A party keeps what it agreed to: later changes of the kind do not affect it. */
export const partyTicket = z.object({
  kind: z.string(),
  name: z.string(),
  /** Cents for one ticket. */
  price: z.int(),
  /** Cents for one more ticket of this kind. */
  fullPrice: z.int(),
  /** Persons on one ticket. */
  seats: z.int(),
  count: z.int(),
})
export type PartyTicket = z.infer<typeof partyTicket>

/** A kind as visitors see it. */
export const offeredTicketKind = z.object({
  key: z.string(),
  name: z.string(),
  /** Cents; 0 if free. */
  price: z.int(),
  /** Cents for one ticket of a member. */
  memberPrice: z.int(),
  seats: z.int(),
  /** Tickets that are left; null if unlimited. */
  left: z.nullable(z.int()),
  /** Names of the membership levels that may choose it, one ticket each; empty for everyone. */
  levels: z.array(z.string()),
  /** Whether the caller may choose it. */
  mayChoose: z.boolean(),
})
export type OfferedTicketKind = z.infer<typeof offeredTicketKind>

interface PricedKind {
  key: string
  name: string
  price: number
  memberPrice: number | null
  seats: number
}

export function personsOn(tickets: readonly Pick<PartyTicket, 'seats' | 'count'>[]): number {
  return tickets.reduce((sum, { seats, count }) => sum + seats * count, 0)
}

export function ticketsCost(tickets: readonly Pick<PartyTicket, 'price' | 'count'>[]): number {
  return tickets.reduce((sum, { price, count }) => sum + price * count, 0)
}

export function countOf(tickets: readonly { kind: string; count: number }[], kind: string): number {
  return tickets.reduce((sum, one) => (one.kind === kind ? sum + one.count : sum), 0)
}

/** The tickets of a new party. The member price is for one ticket, the member's own: the one on which it saves most. */
export function priceTickets(
  kinds: readonly PricedKind[],
  chosen: TicketChoice,
  { isMember }: { isMember: boolean },
): PartyTicket[] {
  const wanted = kinds.filter(({ key }) => countOf(chosen, key) > 0)
  const saving = ({ price, memberPrice }: PricedKind) => price - (memberPrice ?? price)
  const most = Math.max(0, ...wanted.map(saving))
  const own = isMember && most > 0 ? wanted.find((kind) => saving(kind) === most) : undefined
  return wanted.flatMap((kind) => {
    const { key, name, price, memberPrice, seats } = kind
    const ticket = { kind: key, name, seats, fullPrice: price }
    const count = countOf(chosen, key) - (kind === own ? 1 : 0)
    return [
      ...(kind === own ? [{ ...ticket, price: memberPrice ?? price, count: 1 }] : []),
      ...(count > 0 ? [{ ...ticket, price, count }] : []),
    ]
  })
}

/**
 * The tickets of a party after a change. Tickets that it has keep their price, and when some are given up, the dearest go first; further ones of the
 * same kind cost what was agreed, and those of other kinds what they cost now.
 */
export function changeTickets(
  held: readonly PartyTicket[],
  kinds: readonly PricedKind[],
  chosen: TicketChoice,
): PartyTicket[] {
  const keys = new Set([...kinds.map(({ key }) => key), ...held.map(({ kind }) => kind)])
  return [...keys].flatMap((key) => {
    let wanted = countOf(chosen, key)
    const own = held.filter(({ kind }) => kind === key).sort((one, other) => one.price - other.price)
    const kept = own.flatMap((ticket) => {
      const count = Math.min(ticket.count, wanted)
      wanted -= count
      return count > 0 ? [{ ...ticket, count }] : []
    })
    if (wanted === 0) return kept
    const kind = kinds.find((one) => one.key === key)
    const like = own[0] ?? (kind && { kind: key, name: kind.name, seats: kind.seats, fullPrice: kind.price })
    return like ? mergeTickets([...kept, { ...like, price: like.fullPrice, count: wanted }]) : kept
  })
}

function mergeTickets(tickets: readonly PartyTicket[]): PartyTicket[] {
  const merged: PartyTicket[] = []
  for (const ticket of tickets) {
    const same = merged.find((one) => one.price === ticket.price && one.seats === ticket.seats)
    if (same) same.count += ticket.count
    else merged.push({ ...ticket })
  }
  return merged
}

/** '2 × Adult'. */
export function ticketLines(tickets: readonly Pick<PartyTicket, 'name' | 'count'>[]): string[] {
  const counts = new Map<string, number>()
  for (const { name, count } of tickets) counts.set(name, (counts.get(name) ?? 0) + count)
  return [...counts].map(([name, count]) => `${count} × ${name}`)
}

/** Whether two parties have the same tickets, at the same prices. */
export function sameTickets(one: readonly PartyTicket[], other: readonly PartyTicket[]): boolean {
  const describe = (tickets: readonly PartyTicket[]) =>
    tickets
      .map(({ kind, price, seats, count }) => `${kind} ${price} ${seats} ${count}`)
      .sort()
      .join('\n')
  return describe(one) === describe(other)
}
