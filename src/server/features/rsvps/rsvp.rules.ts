import type { RSVP_STATES } from '#contract/public/rsvp.ts'
import type { TicketKind } from '#contract/console/rsvp.ts'
import { messages } from '#contract/messages.ts'
import type { PartyTicket } from '#contract/tickets/tickets.ts'
import { addTickets, hasTicketsFor, type TicketCounts } from './tickets/ticket.rules.ts'

export type RsvpState = (typeof RSVP_STATES)[number]

/** Determines the RSVP state; instants are epoch milliseconds. */
export interface RsvpRuleInput {
  isOpen: boolean
  isCanceled: boolean
  capacity: number | null
  closesAt: number | null
  /** null if the event's date cannot be read. */
  startsAt: number | null
  endsAt: number | null
}

const DAY_MS = 86_400_000
/** Guests are reminded this long before the event starts. */
export const REMIND_BEFORE_MS = 2 * DAY_MS

/** Persons in a party. */
export function partySize({ guests }: { guests: number }): number {
  return 1 + guests
}

/** RSVPs close at their deadline or when the event starts, whichever is first. */
export function closingAt({ closesAt, startsAt }: RsvpRuleInput): number | null {
  if (closesAt === null || startsAt === null) return closesAt ?? startsAt
  return Math.min(closesAt, startsAt)
}

/** `taken` counts seats that are not free. An event without a readable date takes no RSVPs, since it would never end. */
export function rsvpState(settings: RsvpRuleInput | null, taken: number, now: number): RsvpState {
  if (!settings) return 'none'
  if (settings.endsAt === null || now >= settings.endsAt) return 'over'
  if (settings.isCanceled) return 'off'
  const closes = closingAt(settings)
  if (!settings.isOpen || (closes !== null && now >= closes)) return 'closed'
  return hasRoomFor(settings.capacity, taken, 1) ? 'open' : 'full'
}

export function hasRoomFor(capacity: number | null, taken: number, seats: number): boolean {
  return capacity === null || taken + seats <= capacity
}

/**
 * Selects the parties to promote from the waitlist, in the order of their RSVPs. A party that is too large for the free seats, or wants tickets of a kind that are gone, stays on the waitlist
 * and does not block smaller ones.
 */
export function selectForPromotion<T extends { guests: number; tickets: readonly PartyTicket[] }>(
  waiting: readonly T[],
  {
    capacity,
    taken,
    kinds,
    takenTickets,
  }: { capacity: number | null; taken: number; kinds: readonly TicketKind[]; takenTickets: TicketCounts },
): T[] {
  let used = taken
  const usedTickets = new Map(takenTickets)
  return waiting.filter((party) => {
    if (!hasRoomFor(capacity, used, partySize(party))) return false
    if (!hasTicketsFor(kinds, usedTickets, party.tickets)) return false
    used += partySize(party)
    addTickets(usedTickets, party.tickets)
    return true
  })
}

/** Validates a party; returns messages by field, or an empty object. */
export function validateParty(
  { guests, meals }: { guests: number; meals: readonly string[] },
  settings: { guestsMax: number; meals: readonly string[] },
): { guests?: string; meals?: string } {
  if (guests > settings.guestsMax) return { guests: messages.rsvp.guests }
  if (settings.meals.length === 0) return meals.length === 0 ? {} : { meals: messages.rsvp.meals }
  const areChosen = meals.length === 1 + guests && meals.every((meal) => settings.meals.includes(meal))
  return areChosen ? {} : { meals: messages.rsvp.meals }
}

/** Whether to send the reminder: once, two days before the event, and not to guests whose RSVP is more recent than that. */
export function isReminderDue(
  { askedAt, remindedAt }: { askedAt: number; remindedAt: number | null },
  startsAt: number | null,
  now: number,
): boolean {
  if (startsAt === null || remindedAt !== null) return false
  const dueAt = startsAt - REMIND_BEFORE_MS
  return now >= dueAt && now < startsAt && askedAt < dueAt
}

/** The later check-in of a person wins; ties are broken by the greater id, so that all servers and devices agree. */
export function isLaterCheckIn(
  mark: { at: number; id: string },
  held: { at: number | null; id: string | null },
): boolean {
  if (held.at === null || held.id === null) return true
  return mark.at > held.at || (mark.at === held.at && mark.id > held.id)
}

/** Number of each meal to prepare, in menu order; meals no longer on the menu come last. */
export function countMeals(
  parties: readonly { meals: readonly string[] }[],
  offered: readonly string[],
): { meal: string; count: number }[] {
  const counted = new Map(offered.map((meal) => [meal, 0]))
  for (const meal of parties.flatMap(({ meals }) => meals)) counted.set(meal, (counted.get(meal) ?? 0) + 1)
  return [...counted].map(([meal, count]) => ({ meal, count }))
}
