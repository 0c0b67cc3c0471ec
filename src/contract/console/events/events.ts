import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from '#contract/endpoint.ts'
import { emailField, lineField, textField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { guestsField, RSVP_STATES, RSVP_STATUSES, rsvpNameField } from '#contract/public/rsvp.ts'
import { ticketsField } from '#contract/tickets/tickets.ts'
import { CONTENT_STATES } from '../content.ts'

/** Console endpoints for events: the list, the attendees and the emails to them. */

const shared = { access: 'officer', permission: 'events.run' } as const
const eventId = lineField(messages.text.unreadable, 200)
const eventParams = z.object({ id: eventId })
const attendeeParams = z.object({ id: eventId, rsvpId: lineField(messages.text.unreadable, 64) })
const wholeNumber = (max: number) =>
  z.coerce.number(messages.text.number).check(z.int(messages.text.number), z.gte(1), z.lte(max))
const paging = { page: z._default(wholeNumber(100_000), 1), size: z._default(wholeNumber(100), 25) }
const searchText = z.optional(lineField(messages.text.unreadable, 100))

/** `drafts`: not on the site yet. */
export const EVENT_TABS = ['upcoming', 'past', 'drafts'] as const
export type EventTab = (typeof EVENT_TABS)[number]

const event = z.object({
  id: z.string(),
  title: z.string(),
  /** As visitors read it: the date, and the time if there is one. */
  when: z.string(),
  location: z.string(),
  /** `YYYY-MM-DD`; null if the date cannot be read. */
  startsOn: z.nullable(z.string()),
  /** The state of its content. */
  content: z.enum(CONTENT_STATES),
  rsvps: z.enum(RSVP_STATES),
  /** null if unlimited. */
  capacity: z.nullable(z.int()),
  /** Persons: seats taken, including those that are being paid or confirmed. */
  taken: z.int(),
  coming: z.int(),
  waiting: z.int(),
  arrived: z.int(),
  /** Cents per person, or for the cheapest kind of ticket; null if it is free. */
  price: z.nullable(z.int()),
  /** Cents that guests paid, without refunds. */
  paid: z.int(),
})
export type ConsoleEvent = z.infer<typeof event>

export const listEvents = endpoint({
  ...shared,
  name: 'listEvents',
  method: 'GET',
  path: '/api/console/events',
  summary: 'List events with their guests and payments: upcoming ones, past ones, or drafts',
  query: z.object({
    tab: z._default(z.enum(EVENT_TABS, messages.text.unreadable), 'upcoming'),
    q: searchText,
    ...paging,
  }),
  reply: z.object({
    events: z.array(event),
    total: z.int(),
    counts: z.object({ upcoming: z.int(), past: z.int(), drafts: z.int() }),
  }),
  failures: [],
})

const eventHead = z.extend(event, {
  /** Its page on the site; null for a draft. */
  path: z.nullable(z.string()),
  /** Whether RSVPs were ever set up. */
  hasSettings: z.boolean(),
  /** Number of messages sent to its guests. */
  messages: z.int(),
})
export type EventHead = z.infer<typeof eventHead>

export const readEvent = endpoint({
  ...shared,
  name: 'readEvent',
  method: 'GET',
  path: '/api/console/events/:id',
  summary: 'Get an event, also a draft, with its numbers of guests',
  params: eventParams,
  reply: eventHead,
  failures: ['NOT_FOUND'],
})

export const copyEvent = endpoint({
  name: 'copyEvent',
  method: 'POST',
  path: '/api/console/events/:id/copy',
  access: 'officer',
  permission: 'content.change',
  summary: 'Make a draft with the content and RSVP settings of an event, on another day',
  params: eventParams,
  body: z.object({ startsOn: z.iso.date('Please choose the day of the new event') }),
  reply: z.object({ id: z.string() }),
  status: 201,
  failures: ['NOT_FOUND'],
})

/** `active`: everyone who is not canceled. */
export const ATTENDEE_STATES = ['active', 'coming', 'paying', 'waiting', 'arrived', 'cancelled'] as const
export type AttendeeState = (typeof ATTENDEE_STATES)[number]
export const ATTENDEE_SORTS = ['name', 'asked', 'guests', 'arrived'] as const

const attendeeChoice = {
  state: z._default(z.enum(ATTENDEE_STATES, messages.text.unreadable), 'active'),
  q: searchText,
  sort: z._default(z.enum(ATTENDEE_SORTS, messages.text.unreadable), 'name'),
  order: z._default(z.enum(['up', 'down'], messages.text.unreadable), 'up'),
}

const attendee = z.object({
  id: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  /** The member with this address; null if there is none. */
  memberId: z.nullable(z.string()),
  guests: z.int(),
  meals: z.array(z.string()),
  /** Such as '2 × Adult'; empty without kinds of tickets. */
  tickets: z.array(z.string()),
  status: z.enum(RSVP_STATUSES),
  /** Persons checked in. */
  arrived: z.int(),
  isWalkIn: z.boolean(),
  askedAt: z.string(),
  /** Cents paid and not refunded. */
  paid: z.int(),
  /** Cents to be paid for held seats, and until when; null if nothing is due. */
  due: z.nullable(z.object({ amount: z.int(), by: z.string() })),
})
export type Attendee = z.infer<typeof attendee>

export const listAttendees = endpoint({
  ...shared,
  name: 'listAttendees',
  method: 'GET',
  path: '/api/console/events/:id/attendees',
  summary: 'List the RSVPs of an event by search, status and order, in pages',
  params: eventParams,
  query: z.object({ ...attendeeChoice, ...paging }),
  reply: z.object({
    attendees: z.array(attendee),
    total: z.int(),
    /** Parties by status, without the search. */
    counts: z.record(z.enum(ATTENDEE_STATES), z.int()),
  }),
  failures: ['NOT_FOUND'],
})

export const exportAttendees = fileEndpoint({
  ...shared,
  name: 'exportAttendees',
  method: 'GET',
  path: '/api/console/events/:id/attendees/export',
  summary: 'Export the RSVPs that a search and status show, as CSV',
  params: eventParams,
  query: z.object(attendeeChoice),
  media: 'text/csv',
  failures: ['NOT_FOUND'],
})

export const addAttendee = endpoint({
  ...shared,
  name: 'addAttendee',
  method: 'POST',
  path: '/api/console/events/:id/attendees',
  summary: 'Add a guest with a seat or to the waitlist, and email the guest; the id makes a second request a no-op',
  params: eventParams,
  body: z.object({
    id: z.uuid(messages.text.unreadable),
    name: rsvpNameField,
    email: emailField,
    guests: guestsField,
    meals: z.array(lineField(messages.rsvp.meals, 60), messages.rsvp.meals),
    /** For an event with kinds of tickets; they decide the number of guests. */
    tickets: z.optional(ticketsField),
    /** `payment`: the seats are held until they are paid, and the email says how. */
    seat: z.enum(['free', 'payment', 'waitlist'], messages.text.unreadable),
  }),
  reply: z.object({ status: z.enum(RSVP_STATUSES) }),
  failures: ['NOT_FOUND', 'RSVP_FULL', 'RSVP_EXISTS', 'EVENT_IS_OVER'],
})

export const offerSeat = endpoint({
  ...shared,
  name: 'offerSeat',
  method: 'POST',
  path: '/api/console/events/:id/attendees/:rsvpId/offer',
  summary:
    'Give free seats to a party of the waitlist out of turn, and email it; seats to be paid are held until they are paid',
  params: attendeeParams,
  body: z.object({}),
  reply: z.object({ status: z.enum(RSVP_STATUSES) }),
  failures: ['NOT_FOUND', 'RSVP_FULL', 'CHANGED_MEANWHILE', 'EVENT_IS_OVER'],
})

/** Who gets a message: guests with a seat, those who still have to pay, the waitlist, or those who were checked in. */
export const GUEST_AUDIENCES = ['coming', 'paying', 'waiting', 'arrived'] as const
export type GuestAudience = (typeof GUEST_AUDIENCES)[number]

export const guestMessageLimits = { subject: 120, text: 5_000, note: 1_000 } as const

const guestMessage = z.object({
  id: z.string(),
  subject: z.string(),
  text: z.string(),
  audiences: z.array(z.enum(GUEST_AUDIENCES)),
  sentAt: z.string(),
  by: z.string(),
  /** Parties it was sent to, and how many of these emails the mail server has accepted. */
  parties: z.int(),
  accepted: z.int(),
})
export type GuestMessage = z.infer<typeof guestMessage>

const reach = z.object({
  /** Emails that would be sent, one for each party with an address. */
  parties: z.int(),
  persons: z.int(),
  /** Parties without an address, such as walk-ins. */
  unreachable: z.int(),
})
export type GuestReach = z.infer<typeof reach>

const eventNotes = z.object({
  /** Added to the confirmation, and to the reminder two days before. Empty: nothing is added. */
  confirmation: z.string(),
  reminder: z.string(),
})

const eventEmails = z.object({
  notes: z.extend(eventNotes, { version: z.int() }),
  reach: z.record(z.enum(GUEST_AUDIENCES), reach),
  /** When the reminder goes out; null if the date cannot be read. */
  reminderAt: z.nullable(z.string()),
  reminded: z.int(),
  messages: z.array(guestMessage),
})
export type EventEmails = z.infer<typeof eventEmails>

export const readEventEmails = endpoint({
  ...shared,
  name: 'readEventEmails',
  method: 'GET',
  path: '/api/console/events/:id/emails',
  summary: 'Get the notes in automatic emails of an event, whom a message would reach, and the messages sent',
  params: eventParams,
  reply: eventEmails,
  failures: ['NOT_FOUND'],
})

const noteField = z
  .string(messages.text.unreadable)
  .check(z.trim(), z.maxLength(guestMessageLimits.note, 'Please keep this to 1,000 characters.'))

export const saveEventNotes = endpoint({
  ...shared,
  name: 'saveEventNotes',
  method: 'PUT',
  path: '/api/console/events/:id/emails/notes',
  summary: 'Save what the confirmation and the reminder of an event also say',
  params: eventParams,
  body: z.object({ confirmation: noteField, reminder: noteField, version: z.int(messages.text.number) }),
  reply: eventEmails,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

const guestMessageFields = {
  audiences: z
    .array(z.enum(GUEST_AUDIENCES, messages.text.unreadable), 'Please choose who gets it')
    .check(z.minLength(1, 'Please choose who gets it')),
  subject: lineField('Please write a subject', guestMessageLimits.subject),
  text: textField(
    { required: 'Please write a message', short: 'Please write a message', long: 'This message is too long.' },
    { min: 1, max: guestMessageLimits.text },
  ),
}

export const previewGuestMessage = endpoint({
  ...shared,
  name: 'previewGuestMessage',
  method: 'POST',
  path: '/api/console/events/:id/emails/preview',
  summary: 'Render a message to guests and count whom it would reach; sends nothing',
  params: eventParams,
  body: z.object(guestMessageFields),
  reply: z.object({ reach, subject: z.string(), html: z.string(), text: z.string() }),
  failures: ['NOT_FOUND'],
})

export const sendGuestMessage = endpoint({
  ...shared,
  name: 'sendGuestMessage',
  method: 'POST',
  path: '/api/console/events/:id/emails',
  requiresFreshFactor: true,
  summary: 'Email guests of an event, each party once; the id makes a second request a no-op',
  params: eventParams,
  body: z.object({ ...guestMessageFields, id: z.uuid(messages.text.unreadable) }),
  reply: eventEmails,
  status: 201,
  failures: ['NOT_FOUND', 'NO_GUESTS'],
})
