import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from './endpoint.ts'
import { emailField, lineField, optionalLineField, recaptchaTokenField } from './fields.ts'
import { limits } from './limits.ts'
import { messages } from './messages.ts'

/** Saying that one comes to an event (issue 8, 8). */

/** The most guests an officer may allow one person. */
export const GUESTS_MAX = 10

/** `none`: nobody is asked to say so. `full`: whoever says so now waits for a seat. */
export const RSVP_STATES = ['none', 'open', 'full', 'closed', 'over'] as const
/** `waiting`: for a seat that somebody gives back. */
export const RSVP_PLACES = ['coming', 'waiting', 'cancelled'] as const

export const guestsField = z
  .int(messages.rsvp.guests)
  .check(z.gte(0, messages.rsvp.guests), z.lte(GUESTS_MAX, messages.rsvp.guests))
/** The name of a meal for the person and each guest; empty where the event offers no choice. */
const mealsField = z.array(lineField(messages.rsvp.meals, 60), messages.rsvp.meals).check(z.maxLength(GUESTS_MAX + 1))
export const rsvpNameField = lineField(messages.contact.name, limits.contact.nameMax)
const tokenField = lineField(messages.link.required, 200)
const eventId = z.object({ id: lineField(messages.text.unreadable, 200) })

const offer = z.object({
  state: z.enum(RSVP_STATES),
  guestsMax: z.int(),
  /** Choose one a person; empty: no choice is offered. */
  meals: z.array(z.string()),
  /** What an officer says about it; may be empty. */
  words: z.string(),
  /** Until when, ISO 8601; null where there is nothing to say. */
  closesAt: z.nullable(z.string()),
})
export type RsvpOffer = z.infer<typeof offer>

/** Never how many seats are left, nor who has them: asked again around another's RSVP, a count would tell who comes. */
export const readRsvpOffer = endpoint({
  name: 'readRsvpOffer',
  method: 'GET',
  path: '/api/events/:id/rsvp',
  access: 'anyone',
  summary: 'Whether an event takes RSVPs, and what it asks for',
  params: eventId,
  reply: offer,
  failures: [],
})

export const rsvpBody = z.object({
  name: rsvpNameField,
  email: emailField,
  guests: guestsField,
  meals: mealsField,
  recaptchaToken: recaptchaTokenField,
})

/** The same answer for every address; the letter tells its owner what holds. */
export const sendRsvp = endpoint({
  name: 'sendRsvp',
  method: 'POST',
  path: '/api/events/:id/rsvp',
  access: 'anyone',
  summary: 'Say that one comes to an event; one RSVP an address',
  params: eventId,
  body: rsvpBody,
  reply: z.object({ place: z.enum(['coming', 'waiting']) }),
  failures: ['BOT_CHECK_FAILED', 'BOT_CHECK_UNAVAILABLE', 'RSVP_CLOSED'],
})

const ownRsvp = z.object({
  event: z.object({
    id: z.string(),
    title: z.string(),
    date: z.string(),
    time: z.nullable(z.string()),
    location: z.string(),
  }),
  name: z.string(),
  guests: z.int(),
  meals: z.array(z.string()),
  place: z.enum(RSVP_PLACES),
  offer,
  hasCertificate: z.boolean(),
})
export type OwnRsvp = z.infer<typeof ownRsvp>

/** By POST, so that the letter's token stands in no address and no log. */
export const readOwnRsvp = endpoint({
  name: 'readOwnRsvp',
  method: 'POST',
  path: '/api/rsvp/read',
  access: 'anyone',
  summary: 'What the link of an RSVP letter stands for',
  body: z.object({ token: tokenField }),
  reply: ownRsvp,
  failures: ['RSVP_LINK_INVALID'],
})

export const changeRsvp = endpoint({
  name: 'changeRsvp',
  method: 'POST',
  path: '/api/rsvp/change',
  access: 'anyone',
  summary: 'Change name, guests and meals by the link of a letter',
  body: z.object({ token: tokenField, name: rsvpNameField, guests: guestsField, meals: mealsField }),
  reply: ownRsvp,
  failures: ['RSVP_LINK_INVALID', 'RSVP_CLOSED'],
})

/** May be repeated. Whoever waits longest and fits takes the seats. */
export const cancelRsvp = endpoint({
  name: 'cancelRsvp',
  method: 'POST',
  path: '/api/rsvp/cancel',
  access: 'anyone',
  summary: 'Give the seats back by the link of a letter',
  body: z.object({ token: tokenField }),
  reply: ownRsvp,
  failures: ['RSVP_LINK_INVALID'],
})

export const downloadCertificate = fileEndpoint({
  name: 'downloadCertificate',
  method: 'GET',
  path: '/api/rsvp/certificates/:token',
  access: 'anyone',
  summary: 'The certificate of attendance of somebody who was checked in',
  params: z.object({ token: tokenField }),
  media: 'application/pdf',
  failures: ['RSVP_LINK_INVALID'],
})

/** What an officer says about an event's RSVPs; a blank is null. */
export const optionalWords = optionalLineField(300)
