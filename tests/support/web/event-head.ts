import type { EventHead } from '#contract/console/events/events.ts'
import type { RsvpEvent } from '#contract/console/rsvp.ts'

/** An event as the head of its console pages has it. */
export const eventHead: EventHead = {
  id: 'gala',
  title: 'Gala under the Oaks',
  when: 'December 19, 2030',
  location: 'Duluth',
  startsOn: '2030-12-19',
  content: 'published',
  rsvps: 'open',
  capacity: 100,
  taken: 48,
  coming: 48,
  waiting: 3,
  arrived: 0,
  price: 5_000,
  paid: 120_000,
  path: '/events/gala',
  hasSettings: true,
  messages: 0,
}

/** The RSVP settings and counts of the same event. */
export const gala: RsvpEvent = {
  event: {
    id: 'gala',
    title: 'Gala under the Oaks',
    date: 'December 19, 2030',
    location: 'Duluth',
    state: 'open',
    capacity: 100,
    counts: { coming: 48, waiting: 3, paying: 0, held: 0, arrived: 0 },
  },
  offer: {
    isOpen: true,
    capacity: 100,
    guestsMax: 2,
    meals: [],
    closesOn: null,
    words: null,
    creditHours: null,
    price: 5_000,
    memberPrice: null,
    refundUntil: null,
    kinds: [],
    version: 3,
  },
  meals: [],
  tickets: [],
  levels: [],
  closedAt: null,
  calledOff: null,
  hasEnded: false,
  paid: 120_000,
}
