import { messages } from '#contract/messages.ts'
import { personsOn, type PartyTicket, type TicketChoice } from '#contract/tickets/tickets.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import type { RsvpSettings } from '../rsvp-settings.queries.ts'
import type { Party } from '../rsvp.repository.ts'
import { validateParty } from '../rsvp.rules.ts'
import { decideTickets, type TicketTerms } from './ticket.rules.ts'

/** A party as a form sends it. */
export interface AskedParty {
  name: string
  guests: number
  meals: string[]
  tickets?: TicketChoice | undefined
}

type Terms = Pick<TicketTerms, 'isMember' | 'levelKey' | 'isOfficer'>

/**
 * The party that is asked for. With kinds of tickets, they decide the number of guests.
 * @param held the tickets of a party that changes; a party without tickets stays one, although the event has kinds now
 * @throws Problem INVALID_INPUT
 */
export function resolveParty(
  { name, guests, meals, tickets: chosen }: AskedParty,
  settings: RsvpSettings,
  terms: Terms,
  held: readonly PartyTicket[] | null = null,
): Party {
  const usesTickets = held ? held.length > 0 : settings.kinds.length > 0
  const party = usesTickets
    ? withTickets({ name, guests, meals, tickets: chosen ?? (held ? keep(held) : []) }, settings, terms, held)
    : { name, guests, meals, tickets: [] }
  if (!usesTickets && (chosen ?? []).some(({ count }) => count > 0))
    throw fieldProblem('tickets', messages.rsvp.ticketsGone)
  // How many may come was decided with the tickets.
  const guestsMax = usesTickets ? party.guests : settings.guestsMax
  const problems = validateParty(party, { guestsMax, meals: settings.meals })
  if (Object.keys(problems).length > 0) throw new Problem('INVALID_INPUT', { fields: problems })
  return party
}

function withTickets(
  party: { name: string; guests: number; meals: string[]; tickets: TicketChoice },
  { kinds, guestsMax }: RsvpSettings,
  terms: Terms,
  held: readonly PartyTicket[] | null,
): Party {
  const decided = decideTickets(party.tickets, held, { ...terms, kinds, guestsMax })
  if ('fault' in decided) throw fieldProblem('tickets', decided.fault)
  return { ...party, tickets: decided.tickets, guests: personsOn(decided.tickets) - 1 }
}

function keep(held: readonly PartyTicket[]): TicketChoice {
  return held.map(({ kind, count }) => ({ kind, count }))
}
