import type { RsvpEvent } from '#contract/console/rsvp.ts'
import { countOf, ticketsCost, type PartyTicket } from '#contract/tickets/tickets.ts'

/** How many tickets of each kind these parties have, and for how much; kinds that are offered come first. */
export function sumTickets(
  parties: readonly { tickets: readonly PartyTicket[] }[],
  kinds: readonly { key: string; name: string }[],
): RsvpEvent['tickets'] {
  const all = parties.flatMap(({ tickets }) => tickets)
  const names = new Map(kinds.map(({ key, name }) => [key, name]))
  for (const { kind, name } of all) if (!names.has(kind)) names.set(kind, name)
  return [...names].map(([kind, name]) => ({
    kind,
    name,
    count: countOf(all, kind),
    amount: ticketsCost(all.filter((ticket) => ticket.kind === kind)),
  }))
}
