import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'
import { GUESTS_MAX, guestsField, optionalWords, RSVP_PLACES, RSVP_STATES, rsvpNameField } from './rsvp.ts'

/** Events people come to, as officers run them. */

const eventId = z.object({ id: lineField(messages.text.unreadable, 200) })
const counts = z.object({
  /** Persons with their guests. */
  coming: z.int(),
  waiting: z.int(),
  /** Persons whose seats are kept while they pay. */
  paying: z.int(),
  /** Persons whose seats are held until they confirm their email address. */
  held: z.int(),
  arrived: z.int(),
})
const meals = z.array(z.object({ meal: z.string(), count: z.int() }))

/** Cents: ten thousand dollars. */
const PRICE_MAX = 1_000_000

const offerFields = {
  isOpen: z.boolean(),
  /** null: as many as like. */
  capacity: z.nullable(
    z.int(messages.text.number).check(z.gte(1, messages.rsvp.capacity), z.lte(100_000, messages.rsvp.capacity)),
  ),
  guestsMax: z
    .int(messages.text.number)
    .check(z.gte(0, messages.rsvp.guestsMax), z.lte(GUESTS_MAX, messages.rsvp.guestsMax)),
  meals: z.array(lineField(messages.rsvp.mealNames, 60)).check(z.maxLength(10, messages.rsvp.mealNames)),
  /** The last day RSVPs are taken; null: until the event begins. */
  closesOn: z.nullable(z.iso.date(messages.rsvp.closesOn)),
  words: optionalWords,
  /** Cents a person; null: nobody pays. */
  price: z.nullable(
    z.int(messages.rsvp.price).check(z.gte(100, messages.rsvp.price), z.lte(PRICE_MAX, messages.rsvp.price)),
  ),
  /** Cents for a member's own seat, 0: free; null: the same as everybody. */
  memberPrice: z.nullable(
    z
      .int(messages.rsvp.memberPrice)
      .check(z.refine((cents) => cents === 0 || (cents >= 100 && cents <= PRICE_MAX), messages.rsvp.memberPrice)),
  ),
  /** The last day on which whoever cancels gets the money back; null: never. */
  refundUntil: z.nullable(z.iso.date(messages.rsvp.refundUntil)),
  /** Hours of credit, in quarters; null: none. */
  creditHours: z.nullable(
    z
      .number(messages.rsvp.creditHours)
      .check(
        z.gt(0, messages.rsvp.creditHours),
        z.lte(100, messages.rsvp.creditHours),
        z.multipleOf(0.25, messages.rsvp.creditHours),
      ),
  ),
}

const eventLine = z.object({
  id: z.string(),
  title: z.string(),
  date: z.string(),
  location: z.string(),
  state: z.enum(RSVP_STATES),
  capacity: z.nullable(z.int()),
  counts,
})
export type RsvpEventLine = z.infer<typeof eventLine>

export const listRsvpEvents = endpoint({
  name: 'listRsvpEvents',
  method: 'GET',
  path: '/api/console/rsvp',
  access: 'officer',
  permission: 'events.run',
  summary: 'Events to come and of the last 60 days, with how many come',
  reply: z.object({ events: z.array(eventLine) }),
  failures: [],
})

const rsvpEvent = z.object({
  event: eventLine,
  offer: z.object({ ...offerFields, words: z.nullable(z.string()), version: z.int() }),
  meals,
  /** When it was closed and certificates went out. */
  closedAt: z.nullable(z.string()),
  /** When it was called off, and what guests were told; null: it takes place. */
  calledOff: z.nullable(z.object({ at: z.string(), words: z.string() })),
  hasEnded: z.boolean(),
  /** Cents that guests paid and that are not on their way back. */
  paid: z.int(),
})
export type RsvpEvent = z.infer<typeof rsvpEvent>

export const readRsvpEvent = endpoint({
  name: 'readRsvpEvent',
  method: 'GET',
  path: '/api/console/rsvp/:id',
  access: 'officer',
  permission: 'events.run',
  summary: 'What an event offers, and how many come',
  params: eventId,
  reply: rsvpEvent,
  failures: ['NOT_FOUND'],
})

export const rsvpOfferBody = z.object({ ...offerFields, version: z.int() })

export const saveRsvpOffer = endpoint({
  name: 'saveRsvpOffer',
  method: 'PUT',
  path: '/api/console/rsvp/:id',
  access: 'officer',
  permission: 'events.run',
  summary: 'Opens or closes RSVPs and says what they ask for; more seats promote whoever waits',
  params: eventId,
  body: rsvpOfferBody,
  reply: rsvpEvent,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

const doorEntry = z.object({
  id: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  guests: z.int(),
  meals: z.array(z.string()),
  place: z.enum(RSVP_PLACES),
  /** Persons who are in, guests included; 0 before. */
  arrived: z.int(),
  isWalkIn: z.boolean(),
  /** Cents paid and not given back. */
  paid: z.int(),
  /** What the QR code of the letter says; '' for walk-ins. */
  code: z.string(),
})
export type DoorEntry = z.infer<typeof doorEntry>
const doorList = z.object({ event: eventLine, entries: z.array(doorEntry), meals })
export type DoorList = z.infer<typeof doorList>

export const readDoorList = endpoint({
  name: 'readDoorList',
  method: 'GET',
  path: '/api/console/rsvp/:id/door',
  access: 'officer',
  permission: 'events.run',
  summary: 'Everybody for the door, by name: whole, since a phone keeps it for when the network is gone',
  params: eventId,
  reply: doorList,
  failures: ['NOT_FOUND'],
})

const ownId = z.uuid(messages.text.unreadable)

/** So many of each a phone sends at once. */
export const DOOR_BATCH = 500

/** Somebody who came without an RSVP. */
const walkIn = z.object({ id: ownId, name: rsvpNameField, guests: guestsField })
export type WalkIn = z.infer<typeof walkIn>

const doorMark = z.object({
  id: ownId,
  rsvpId: lineField(messages.text.unreadable, 64),
  /** Persons who are in; 0 takes a check-in back. */
  arrived: z.int().check(z.gte(0), z.lte(GUESTS_MAX + 1)),
  /** Epoch milliseconds, by the phone's clock. */
  at: z.int().check(z.gte(0)),
})
export type DoorMark = z.infer<typeof doorMark>

/** What was done at a door, with ids made there: sent twice, or late, it counts once; of two marks the later holds. */
export const sendDoorMarks = endpoint({
  name: 'sendDoorMarks',
  method: 'POST',
  path: '/api/console/rsvp/:id/marks',
  access: 'officer',
  permission: 'events.run',
  summary: 'Check-ins, undone check-ins and walk-ins, however late; answers the list as it is then',
  params: eventId,
  body: z.object({
    walkIns: z.array(walkIn).check(z.maxLength(DOOR_BATCH)),
    marks: z.array(doorMark).check(z.maxLength(DOOR_BATCH)),
  }),
  reply: doorList,
  failures: ['NOT_FOUND'],
})

export const exportRsvps = fileEndpoint({
  name: 'exportRsvps',
  method: 'GET',
  path: '/api/console/rsvp/:id/list.csv',
  access: 'officer',
  permission: 'events.run',
  summary: 'Everybody who said something, for a spreadsheet',
  params: eventId,
  media: 'text/csv',
  failures: ['NOT_FOUND'],
})

export const removeRsvp = endpoint({
  name: 'removeRsvp',
  method: 'DELETE',
  path: '/api/console/rsvp/:id/people/:rsvpId',
  access: 'officer',
  permission: 'events.run',
  summary: 'Takes somebody off the list; they are told, and whoever waits moves up',
  params: z.object({ id: lineField(messages.text.unreadable, 200), rsvpId: lineField(messages.text.unreadable, 64) }),
  reply: doorList,
  failures: ['NOT_FOUND', 'RSVP_IS_PAID'],
})

export const closeRsvpEvent = endpoint({
  name: 'closeRsvpEvent',
  method: 'POST',
  path: '/api/console/rsvp/:id/close',
  access: 'officer',
  permission: 'events.run',
  asksAgain: true,
  summary: 'After the event: certificates of attendance go to everybody who was checked in',
  params: eventId,
  body: z.object({}),
  reply: z.object({ certificates: z.int(), event: rsvpEvent }),
  failures: ['NOT_FOUND', 'EVENT_NOT_OVER'],
})

/** Of the sentence or two that guests read. */
export const CALL_OFF_WORDS_MAX = 500

export const callOffRsvpEvent = endpoint({
  name: 'callOffRsvpEvent',
  method: 'POST',
  path: '/api/console/rsvp/:id/call-off',
  access: 'officer',
  permission: 'events.run',
  asksAgain: true,
  summary: 'The event does not take place: everybody is told, and all that was paid goes back',
  params: eventId,
  body: z.object({
    /** As guests read it. */
    announcement: lineField(messages.rsvp.callOff, CALL_OFF_WORDS_MAX),
  }),
  reply: z.object({
    /** Parties that are emailed: those that came, paid or waited and gave an address. */
    parties: z.int(),
    /** Cents on their way back. */
    refunded: z.int(),
    event: rsvpEvent,
  }),
  failures: ['NOT_FOUND', 'EVENT_IS_OVER', 'EVENT_IS_PAID', 'CHANGED_MEANWHILE'],
})
