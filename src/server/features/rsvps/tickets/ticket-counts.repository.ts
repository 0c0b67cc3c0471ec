import type { PartyTicket } from '#contract/tickets/tickets.ts'
import type { Db } from '#server/db/database.ts'
import { PENDING_STATES } from '#server/features/orders/order.queries.ts'
import { mailboxKey } from '../mailbox.rules.ts'
import type { RsvpSettings } from '../rsvp-settings.queries.ts'
import { addTickets, hasTicketsFor, type TicketCounts } from './ticket.rules.ts'

/** What is the party's own, and so not taken from it. */
interface Own {
  rsvpId?: string | undefined
  orderId?: string | undefined
  /** All spellings of the address. */
  email?: string | undefined
}

/** Tickets by kind that are not free: confirmed, being paid, or held until confirmation. As `countTakenSeats`, call it with the RSVP settings locked to decide. */
export async function countTakenTickets(
  db: Db,
  eventId: string,
  now: number,
  own: Own = {},
): Promise<Map<string, number>> {
  const taken = new Map<string, number>()
  const rsvps = await db
    .selectFrom('rsvp')
    .select(['id', 'tickets'])
    .where('eventId', '=', eventId)
    .where('status', 'in', ['coming', 'paying'])
    .where('tickets', '!=', '[]')
    .execute()
  for (const { id, tickets } of rsvps) if (id !== own.rsvpId) addTickets(taken, readTickets(tickets))
  const orders = await db
    .selectFrom('rsvpOrder')
    .select(['id', 'tickets', 'baseTickets'])
    .where('eventId', '=', eventId)
    .where('state', 'in', PENDING_STATES)
    .where('tickets', '!=', '[]')
    .execute()
  for (const { id, tickets, baseTickets } of orders)
    if (id !== own.orderId) addTickets(taken, readTickets(tickets), readTickets(baseTickets))
  const requests = await db
    .selectFrom('rsvpRequest')
    .select(['mailboxKey', 'tickets'])
    .where('eventId', '=', eventId)
    .where('heldUntil', '>', now)
    .where('seats', '>', 0)
    .where('tickets', '!=', '[]')
    .execute()
  const ownMailbox = own.email === undefined ? null : mailboxKey(own.email)
  for (const { mailboxKey: mailbox, tickets } of requests)
    if (mailbox !== ownMailbox) addTickets(taken, readTickets(tickets))
  return taken
}

/**
 * Whether the event has the tickets that a party wants besides its own. Asks the database only if a kind is limited.
 * @param planned what other parties will get in the same transaction
 */
export async function hasTicketsLeft(
  db: Db,
  { eventId, kinds }: Pick<RsvpSettings, 'eventId' | 'kinds'>,
  { tickets, before = [] }: { tickets: readonly PartyTicket[]; before?: readonly PartyTicket[] },
  { now, planned = new Map(), ...own }: Own & { now: number; planned?: TicketCounts | undefined },
): Promise<boolean> {
  if (tickets.length === 0 || kinds.every(({ limit }) => limit === null)) return true
  const taken = await countTakenTickets(db, eventId, now, own)
  for (const [kind, count] of planned) taken.set(kind, (taken.get(kind) ?? 0) + count)
  return hasTicketsFor(kinds, taken, tickets, before)
}

function readTickets(text: string): PartyTicket[] {
  return JSON.parse(text) as PartyTicket[]
}
