import { region } from '#contract/region.ts'
import type { AssociationEvent, EventDetails } from '#contract/public/events.ts'
import type { PublicRsvpSettings, RsvpPrice } from '#contract/public/rsvp.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { endOfDay, eventSpan } from '#server/features/content-store/event-times.rules.ts'
import type { TicketCounts } from './tickets/ticket.rules.ts'
import type { RsvpSettings } from './rsvp-settings.queries.ts'
import { closingAt, rsvpState, type RsvpRuleInput } from './rsvp.rules.ts'

/** What the rules need to know about RSVP settings and their event. */
export function toRsvpRuleInput(settings: RsvpSettings, event: EventDetails, timeZone: string): RsvpRuleInput {
  const { isOpen, calledOff, capacity, closesOn } = settings
  return {
    isOpen,
    isCanceled: calledOff !== null,
    capacity,
    closesAt: closesOn === null ? null : endOfDay(closesOn, timeZone),
    ...eventSpan(event, timeZone),
  }
}

/** Start of the event's first day; null if its date cannot be read. */
export function eventDayStart(event: Pick<EventDetails, 'startsOn'> | undefined, timeZone: string): number | null {
  return event?.startsOn ? startOfDay(event.startsOn, timeZone) : null
}

function publicPrice({ price, memberPrice, refundUntil }: RsvpSettings): RsvpPrice | null {
  return price === null
    ? null
    : { person: price, member: memberPrice ?? price, currency: region().currency, refundUntil }
}

/** The tickets as a caller sees them. @param levelKey of a signed-in member */
function publicTickets(
  { kinds, refundUntil }: RsvpSettings,
  { takenTickets = new Map(), levels = [], levelKey = null }: TicketView,
): PublicRsvpSettings['tickets'] {
  if (kinds.length === 0) return null
  return {
    currency: region().currency,
    refundUntil,
    kinds: kinds.map(({ key, name, price, memberPrice, seats, limit, levels: keys }) => ({
      key,
      name,
      price,
      memberPrice: memberPrice ?? price,
      seats,
      left: limit === null ? null : Math.max(0, limit - (takenTickets.get(key) ?? 0)),
      levels: keys.map((level) => levels.find((one) => one.key === level)?.name ?? 'Another level'),
      mayChoose: keys.length === 0 || (levelKey !== null && keys.includes(levelKey)),
    })),
  }
}

interface TicketView {
  takenTickets?: TicketCounts
  levels?: readonly { key: string; name: string }[]
  levelKey?: string | null
}

const NONE: PublicRsvpSettings = {
  state: 'none',
  guestsMax: 0,
  meals: [],
  words: '',
  closesAt: null,
  lastDay: null,
  seatsLeft: null,
  price: null,
  tickets: null,
  memberEmail: null,
}

/** The last whole day before an instant at midnight; null for any other instant. */
function lastDayBefore(instant: number, timeZone: string): string | null {
  return startOfDay(dayOf(instant, timeZone), timeZone) === instant ? dayOf(instant - 1, timeZone) : null
}

/** RSVP settings as visitors see them. @param memberEmail the address that gets the member price */
export function toPublicRsvpSettings(
  settings: RsvpSettings | null,
  event: EventDetails | undefined,
  {
    taken,
    now,
    timeZone,
    memberEmail,
    ...view
  }: { taken: number; now: number; timeZone: string; memberEmail: string | null } & TicketView,
): PublicRsvpSettings {
  if (!settings || !event) return NONE
  const rules = toRsvpRuleInput(settings, event, timeZone)
  const closes = closingAt(rules)
  return {
    state: rsvpState(rules, taken, now),
    guestsMax: settings.guestsMax,
    meals: settings.meals,
    words: settings.calledOff?.text ?? settings.text ?? '',
    closesAt: closes === null ? null : new Date(closes).toISOString(),
    lastDay: closes === null ? null : lastDayBefore(closes, timeZone),
    seatsLeft: settings.capacity === null ? null : Math.max(0, settings.capacity - taken),
    price: publicPrice(settings),
    tickets: publicTickets(settings, view),
    memberEmail,
  }
}

/**
 * Adds RSVP data to an event: whether it is canceled and whether it takes RSVPs. If it does, the button of its card and page leads to the RSVP form,
 * unless an officer chose another link.
 */
export function withRsvpState<T extends AssociationEvent>(
  event: T,
  allSettings: readonly RsvpSettings[],
): T & { takesRsvp: boolean } {
  const { isOpen: takesRsvp = false, calledOff = null } = allSettings.find(({ eventId }) => eventId === event.id) ?? {}
  if (calledOff) return { ...event, takesRsvp, calledOff: calledOff.text }
  const ownPage = `/events/${event.id}`
  if (!takesRsvp || !['', '/events', ownPage].includes(event.detailsLink)) return { ...event, takesRsvp }
  return { ...event, takesRsvp, detailsLink: `${ownPage}#rsvp` }
}
