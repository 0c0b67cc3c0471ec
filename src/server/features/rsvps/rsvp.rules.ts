import type { RSVP_STATES } from '#contract/rsvp.ts'
import { messages } from '#contract/messages.ts'

export type RsvpState = (typeof RSVP_STATES)[number]

/** What decides about an offer; instants are epoch milliseconds. */
export interface OfferFacts {
  isOpen: boolean
  isCalledOff: boolean
  capacity: number | null
  closesAt: number | null
  /** null: nobody can read the event's date. */
  startsAt: number | null
  endsAt: number | null
}

const DAY_MS = 86_400_000
const REMIND_BEFORE_MS = 2 * DAY_MS

/** Persons of a party. */
export function seatsOf({ guests }: { guests: number }): number {
  return 1 + guests
}

/** RSVPs end at their own last moment, or when the event begins. */
export function closingAt({ closesAt, startsAt }: OfferFacts): number | null {
  if (closesAt === null || startsAt === null) return closesAt ?? startsAt
  return Math.min(closesAt, startsAt)
}

/** `taken` counts persons who come, or whose seats are kept while they pay. An event that nobody can date takes none: it would never end. */
export function rsvpState(offer: OfferFacts | null, taken: number, now: number): RsvpState {
  if (!offer) return 'none'
  if (offer.endsAt === null || now >= offer.endsAt) return 'over'
  if (offer.isCalledOff) return 'off'
  const closes = closingAt(offer)
  if (!offer.isOpen || (closes !== null && now >= closes)) return 'closed'
  return fits(offer.capacity, taken, 1) ? 'open' : 'full'
}

export function fits(capacity: number | null, taken: number, seats: number): boolean {
  return capacity === null || taken + seats <= capacity
}

/**
 * Who comes off the waitlist: in the order of asking, each whose whole party fits. A party too large for what is free waits on and holds nobody up.
 */
export function promoted<T extends { guests: number }>(
  waiting: readonly T[],
  { capacity, taken }: { capacity: number | null; taken: number },
): T[] {
  let used = taken
  return waiting.filter((party) => {
    if (!fits(capacity, used, seatsOf(party))) return false
    used += seatsOf(party)
    return true
  })
}

/** What is wrong with a party, by field; empty when nothing is. */
export function partyProblems(
  { guests, meals }: { guests: number; meals: readonly string[] },
  offer: { guestsMax: number; meals: readonly string[] },
): { guests?: string; meals?: string } {
  if (guests > offer.guestsMax) return { guests: messages.rsvp.guests }
  if (offer.meals.length === 0) return meals.length === 0 ? {} : { meals: messages.rsvp.meals }
  const areChosen = meals.length === 1 + guests && meals.every((meal) => offer.meals.includes(meal))
  return areChosen ? {} : { meals: messages.rsvp.meals }
}

/** Two days before the event begins, once, and never to somebody whose own letter is younger than that. */
export function isReminderDue(
  { askedAt, remindedAt }: { askedAt: number; remindedAt: number | null },
  startsAt: number | null,
  now: number,
): boolean {
  if (startsAt === null || remindedAt !== null) return false
  const dueAt = startsAt - REMIND_BEFORE_MS
  return now >= dueAt && now < startsAt && askedAt < dueAt
}

/** Of two marks about one person the later holds; at the same instant the one with the greater id, so that all servers and phones agree. */
export function isLaterMark(mark: { at: number; id: string }, held: { at: number | null; id: string | null }): boolean {
  if (held.at === null || held.id === null) return true
  return mark.at > held.at || (mark.at === held.at && mark.id > held.id)
}

/** How many of each meal the kitchen makes, in the order they are offered; what is no longer offered comes last. */
export function countMeals(
  parties: readonly { meals: readonly string[] }[],
  offered: readonly string[],
): { meal: string; count: number }[] {
  const counted = new Map(offered.map((meal) => [meal, 0]))
  for (const meal of parties.flatMap(({ meals }) => meals)) counted.set(meal, (counted.get(meal) ?? 0) + 1)
  return [...counted].map(([meal, count]) => ({ meal, count }))
}
