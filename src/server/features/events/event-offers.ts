import type { AssociationEvent, EventDetails } from '#contract/events.ts'
import type { RsvpOffer, RsvpPrice } from '#contract/rsvp.ts'
import { dayOf } from '#contract/dates.ts'
import { startOfDay } from '#server/platform/local-time.rules.ts'
import { endOfDay, spanOf } from './event-times.rules.ts'
import type { EventOffer } from './offer.repository.ts'
import { closingAt, rsvpState, type OfferFacts } from './rsvp.rules.ts'

/** What the rules must know of an offer and its event. */
export function offerFacts(offer: EventOffer, event: EventDetails, timeZone: string): OfferFacts {
  const { isOpen, calledOff, capacity, closesOn } = offer
  return {
    isOpen,
    isCalledOff: calledOff !== null,
    capacity,
    closesAt: closesOn === null ? null : endOfDay(closesOn, timeZone),
    ...spanOf(event, timeZone),
  }
}

/** The first instant of an event's day; null when nobody can date it. */
export function eventDayOf(event: Pick<EventDetails, 'startsOn'> | undefined, timeZone: string): number | null {
  return event?.startsOn ? startOfDay(event.startsOn, timeZone) : null
}

/** What the association is paid in. */
export const CURRENCY = 'usd'

function publicPrice({ price, memberPrice, refundUntil }: EventOffer): RsvpPrice | null {
  return price === null ? null : { person: price, member: memberPrice ?? price, currency: CURRENCY, refundUntil }
}

const NONE: RsvpOffer = {
  state: 'none',
  guestsMax: 0,
  meals: [],
  words: '',
  closesAt: null,
  lastDay: null,
  seatsLeft: null,
  price: null,
  memberEmail: null,
}

/** The day that ends at an instant; null for an instant within a day. */
function lastDayBefore(instant: number, timeZone: string): string | null {
  return startOfDay(dayOf(instant, timeZone), timeZone) === instant ? dayOf(instant - 1, timeZone) : null
}

/** An offer as visitors see it. @param memberEmail for which address the member price counts */
export function publicOffer(
  offer: EventOffer | null,
  event: EventDetails | undefined,
  { taken, now, timeZone, memberEmail }: { taken: number; now: number; timeZone: string; memberEmail: string | null },
): RsvpOffer {
  if (!offer || !event) return NONE
  const facts = offerFacts(offer, event, timeZone)
  const closes = closingAt(facts)
  return {
    state: rsvpState(facts, taken, now),
    guestsMax: offer.guestsMax,
    meals: offer.meals,
    words: offer.calledOff?.words ?? offer.words ?? '',
    closesAt: closes === null ? null : new Date(closes).toISOString(),
    lastDay: closes === null ? null : lastDayBefore(closes, timeZone),
    seatsLeft: offer.capacity === null ? null : Math.max(0, offer.capacity - taken),
    price: publicPrice(offer),
    memberEmail,
  }
}

/** What offers say of an event everywhere: that it is called off. Where it takes RSVPs here, the button of its card and page leads to the form, unless an officer chose another place for it. */
export function withRsvp<T extends AssociationEvent>(
  event: T,
  offers: readonly EventOffer[],
): T & { takesRsvp: boolean } {
  const { isOpen: takesRsvp = false, calledOff = null } = offers.find(({ eventId }) => eventId === event.id) ?? {}
  if (calledOff) return { ...event, takesRsvp, calledOff: calledOff.words }
  if (!takesRsvp || !['', '/events'].includes(event.detailsLink)) return { ...event, takesRsvp }
  return { ...event, takesRsvp, detailsLink: `/events/${event.id}#rsvp` }
}
