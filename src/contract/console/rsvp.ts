import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'
import { PARTY_MAX, TICKET_KINDS_MAX } from '../tickets/tickets.ts'
import {
  GUESTS_MAX,
  guestsField,
  optionalMessageField,
  RSVP_STATUSES,
  RSVP_STATES,
  rsvpNameField,
} from '../public/rsvp.ts'

/** Console endpoints for event RSVPs. */

const eventId = z.object({ id: lineField(messages.text.unreadable, 200) })
const counts = z.object({
  /** Persons, including guests. */
  coming: z.int(),
  waiting: z.int(),
  /** Persons whose seats are held during payment. */
  paying: z.int(),
  /** Persons whose seats are held until they confirm their email address. */
  held: z.int(),
  arrived: z.int(),
})
const meals = z.array(z.object({ meal: z.string(), count: z.int() }))

/** Cents: $10,000. */
const PRICE_MAX = 1_000_000

const kindPrice = z
  .int(messages.rsvp.kindPrice)
  .check(z.refine((cents) => cents === 0 || (cents >= 100 && cents <= PRICE_MAX), messages.rsvp.kindPrice))

/** A kind of ticket, such as Child or Table of ten. */
export const ticketKind = z.object({
  /** Made when the kind is added; it never changes. */
  key: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/, messages.text.unreadable)),
  name: lineField(messages.rsvp.kindName, 60),
  /** Cents for one ticket; 0 if free. */
  price: kindPrice,
  /** Cents for one ticket of a member; null if members pay the same. */
  memberPrice: z.nullable(kindPrice),
  /** Persons on one ticket. */
  seats: z
    .int(messages.rsvp.kindSeats)
    .check(z.gte(1, messages.rsvp.kindSeats), z.lte(PARTY_MAX, messages.rsvp.kindSeats)),
  /** How many tickets there are; null if only the seats limit them. */
  limit: z.nullable(
    z.int(messages.text.number).check(z.gte(1, messages.rsvp.capacity), z.lte(100_000, messages.rsvp.capacity)),
  ),
  /** Keys of the membership levels that may choose it, one ticket for each member; empty for everyone. */
  levels: z.array(lineField(messages.text.unreadable, 64)).check(z.maxLength(30)),
})
export type TicketKind = z.infer<typeof ticketKind>

const settingsFields = {
  isOpen: z.boolean(),
  /** null if unlimited. */
  capacity: z.nullable(
    z.int(messages.text.number).check(z.gte(1, messages.rsvp.capacity), z.lte(100_000, messages.rsvp.capacity)),
  ),
  guestsMax: z
    .int(messages.text.number)
    .check(z.gte(0, messages.rsvp.guestsMax), z.lte(GUESTS_MAX, messages.rsvp.guestsMax)),
  meals: z.array(lineField(messages.rsvp.mealNames, 60)).check(z.maxLength(10, messages.rsvp.mealNames)),
  /** The last day RSVPs are taken; null until the event starts. */
  closesOn: z.nullable(z.iso.date(messages.rsvp.closesOn)),
  words: optionalMessageField,
  /** Cents per person; null if the event is free. */
  price: z.nullable(
    z.int(messages.rsvp.price).check(z.gte(100, messages.rsvp.price), z.lte(PRICE_MAX, messages.rsvp.price)),
  ),
  /** Cents for a member's own seat, 0 if free; null if members pay the same. */
  memberPrice: z.nullable(
    z
      .int(messages.rsvp.memberPrice)
      .check(z.refine((cents) => cents === 0 || (cents >= 100 && cents <= PRICE_MAX), messages.rsvp.memberPrice)),
  ),
  /** Omitted by older pages: unchanged. Empty: there are seats only. */
  kinds: z.optional(z.array(ticketKind).check(z.maxLength(TICKET_KINDS_MAX, messages.rsvp.kinds))),
  /** The last day on which canceling gives a refund; null if never. */
  refundUntil: z.nullable(z.iso.date(messages.rsvp.refundUntil)),
  /** Credit hours in quarters; null if none. */
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
export type RsvpEventSummary = z.infer<typeof eventLine>

export const listRsvpEvents = endpoint({
  name: 'listRsvpEvents',
  method: 'GET',
  path: '/api/console/rsvp',
  access: 'officer',
  permission: 'events.run',
  summary: 'List upcoming events and those of the last 60 days, with guest counts',
  reply: z.object({ events: z.array(eventLine) }),
  failures: [],
})

const rsvpEvent = z.object({
  event: eventLine,
  offer: z.object({
    ...settingsFields,
    words: z.nullable(z.string()),
    kinds: z.array(ticketKind),
    version: z.int(),
  }),
  meals,
  /** Tickets of guests who are coming, also of kinds that are no longer offered; empty without kinds. */
  tickets: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      count: z.int(),
      /** Cents agreed. */
      amount: z.int(),
    }),
  ),
  /** The membership levels that a kind can be for. */
  levels: z.array(z.object({ key: z.string(), name: z.string() })),
  /** When it was closed and certificates were sent. */
  closedAt: z.nullable(z.string()),
  /** When it was canceled, and the message to guests; null if it takes place. */
  calledOff: z.nullable(z.object({ at: z.string(), words: z.string() })),
  hasEnded: z.boolean(),
  /** Cents that guests paid, without refunds made or in progress. */
  paid: z.int(),
})
export type RsvpEvent = z.infer<typeof rsvpEvent>

export const readRsvpEvent = endpoint({
  name: 'readRsvpEvent',
  method: 'GET',
  path: '/api/console/rsvp/:id',
  access: 'officer',
  permission: 'events.run',
  summary: 'Get the RSVP settings of an event and its guest counts',
  params: eventId,
  reply: rsvpEvent,
  failures: ['NOT_FOUND'],
})

export const rsvpSettingsBody = z.object({ ...settingsFields, version: z.int() })

export const saveRsvpSettings = endpoint({
  name: 'saveRsvpOffer',
  method: 'PUT',
  path: '/api/console/rsvp/:id',
  access: 'officer',
  permission: 'events.run',
  summary: 'Save RSVP settings, and open or close RSVPs; more seats promote guests from the waitlist',
  params: eventId,
  body: rsvpSettingsBody,
  reply: rsvpEvent,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

const checkInEntry = z.object({
  id: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  guests: z.int(),
  meals: z.array(z.string()),
  /** Such as '2 × Adult'; omitted without kinds of tickets. */
  tickets: z.optional(z.array(z.string())),
  place: z.enum(RSVP_STATUSES),
  /** Persons checked in, including guests; 0 before check-in. */
  arrived: z.int(),
  isWalkIn: z.boolean(),
  /** Cents paid and not refunded. */
  paid: z.int(),
  /** The content of the QR code in the email; '' for walk-ins. */
  code: z.string(),
  /** SHA-256 of the code of the guest's membership card, in hex; null without one that works. */
  cardHash: z.nullable(z.string()),
})
export type CheckInEntry = z.infer<typeof checkInEntry>
const checkInList = z.object({ event: eventLine, entries: z.array(checkInEntry), meals })
export type CheckInList = z.infer<typeof checkInList>

export const readCheckInList = endpoint({
  name: 'readDoorList',
  method: 'GET',
  path: '/api/console/rsvp/:id/door',
  access: 'officer',
  permission: 'events.run',
  summary: 'Get the complete check-in list of an event by name, which a device stores for offline use',
  params: eventId,
  reply: checkInList,
  failures: ['NOT_FOUND'],
})

const ownId = z.uuid(messages.text.unreadable)

/** Maximum number of each that a device sends per request. */
export const CHECK_IN_BATCH_MAX = 500

/** A guest without an RSVP. */
const walkIn = z.object({ id: ownId, name: rsvpNameField, guests: guestsField })
export type WalkIn = z.infer<typeof walkIn>

const checkInRecord = z.object({
  id: ownId,
  rsvpId: lineField(messages.text.unreadable, 64),
  /** Persons checked in; 0 undoes a check-in. */
  arrived: z.int().check(z.gte(0), z.lte(GUESTS_MAX + 1)),
  /** Epoch milliseconds by the device's clock. */
  at: z.int().check(z.gte(0)),
})
export type CheckInRecord = z.infer<typeof checkInRecord>

/** Records made on a device, which also makes their ids. Resending them, even late, is a no-op; the later check-in of a person wins. */
export const sendCheckIns = endpoint({
  name: 'sendDoorMarks',
  method: 'POST',
  path: '/api/console/rsvp/:id/marks',
  access: 'officer',
  permission: 'events.run',
  summary: 'Send check-ins, undone check-ins and walk-ins, however late; returns the updated list',
  params: eventId,
  body: z.object({
    walkIns: z.array(walkIn).check(z.maxLength(CHECK_IN_BATCH_MAX)),
    marks: z.array(checkInRecord).check(z.maxLength(CHECK_IN_BATCH_MAX)),
  }),
  reply: checkInList,
  failures: ['NOT_FOUND'],
})

export const exportRsvps = fileEndpoint({
  name: 'exportRsvps',
  method: 'GET',
  path: '/api/console/rsvp/:id/list.csv',
  access: 'officer',
  permission: 'events.run',
  summary: 'Export the RSVPs of an event as CSV',
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
  summary: 'Remove an RSVP; the guest is emailed, and the waitlist moves up',
  params: z.object({ id: lineField(messages.text.unreadable, 200), rsvpId: lineField(messages.text.unreadable, 64) }),
  reply: checkInList,
  failures: ['NOT_FOUND', 'RSVP_IS_PAID'],
})

export const closeRsvpEvent = endpoint({
  name: 'closeRsvpEvent',
  method: 'POST',
  path: '/api/console/rsvp/:id/close',
  access: 'officer',
  permission: 'events.run',
  requiresFreshFactor: true,
  summary: 'Close an event after its end and email certificates to everyone who was checked in',
  params: eventId,
  body: z.object({}),
  reply: z.object({ certificates: z.int(), event: rsvpEvent }),
  failures: ['NOT_FOUND', 'EVENT_NOT_OVER'],
})

/** Maximum length of the message to guests. */
export const CANCELLATION_MESSAGE_MAX = 500

export const cancelRsvpEvent = endpoint({
  name: 'callOffRsvpEvent',
  method: 'POST',
  path: '/api/console/rsvp/:id/call-off',
  access: 'officer',
  permission: 'events.run',
  requiresFreshFactor: true,
  summary: 'Cancel an event: all guests are emailed and all payments refunded',
  params: eventId,
  body: z.object({
    /** The message to guests. */
    announcement: lineField(messages.rsvp.callOff, CANCELLATION_MESSAGE_MAX),
  }),
  reply: z.object({
    /** Number of emailed parties: those with a seat, a payment in progress or a waitlist entry, and an address. */
    parties: z.int(),
    /** Cents being refunded. */
    refunded: z.int(),
    event: rsvpEvent,
  }),
  failures: ['NOT_FOUND', 'EVENT_IS_OVER', 'EVENT_IS_PAID', 'CHANGED_MEANWHILE'],
})
