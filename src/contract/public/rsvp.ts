import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from './endpoint.ts'
import { emailField, lineField, optionalLineField, recaptchaTokenField } from './fields.ts'
import { limits } from './limits.ts'
import { messages } from './messages.ts'

/** Saying that one comes to an event. */

/** The most guests an officer may allow one person. */
export const GUESTS_MAX = 10

/** `none`: nobody is asked to say so. `full`: whoever says so now waits for a seat. `off`: the event does not take place. */
export const RSVP_STATES = ['none', 'open', 'full', 'closed', 'off', 'over'] as const
/** `waiting`: for a seat that somebody gives back. `paying`: came off the waitlist and has yet to pay for the seats that are kept. */
export const RSVP_PLACES = ['coming', 'paying', 'waiting', 'cancelled'] as const
/** Seats of somebody whose email address is not proven are held so long; then they go to whoever asks next. */
export const HOLD_MINUTES = 30

export const guestsField = z
  .int(messages.rsvp.guests)
  .check(z.gte(0, messages.rsvp.guests), z.lte(GUESTS_MAX, messages.rsvp.guests))
/** The name of a meal for the person and each guest; empty where the event offers no choice. */
const mealsField = z.array(lineField(messages.rsvp.meals, 60), messages.rsvp.meals).check(z.maxLength(GUESTS_MAX + 1))
export const rsvpNameField = lineField(messages.contact.name, limits.contact.nameMax)
const tokenField = lineField(messages.link.required, 200)
const eventId = z.object({ id: lineField(messages.text.unreadable, 200) })

const price = z.object({
  /** Cents for a person. */
  person: z.int(),
  /** Cents for a member's own seat; 0: free. */
  member: z.int(),
  currency: z.string(),
  /** The last day (`YYYY-MM-DD`) on which whoever cancels gets the money back; null: never. */
  refundUntil: z.nullable(z.string()),
})
export type RsvpPrice = z.infer<typeof price>

const offer = z.object({
  state: z.enum(RSVP_STATES),
  guestsMax: z.int(),
  /** Choose one a person; empty: no choice is offered. */
  meals: z.array(z.string()),
  /** What an officer says about it, or why it is called off; may be empty. */
  words: z.string(),
  /** Until when, ISO 8601; null where there is nothing to say. */
  closesAt: z.nullable(z.string()),
  /** The last whole day on which it takes RSVPs, `YYYY-MM-DD`; null where it closes at an hour. */
  lastDay: z.nullable(z.string()),
  /** null where there are as many as like. */
  seatsLeft: z.nullable(z.int()),
  /** null: nobody pays. */
  price: z.nullable(price),
  /** The address for which the member price counts: that of the signed-in member who asks. null for everybody else. */
  memberEmail: z.nullable(z.string()),
})
export type RsvpOffer = z.infer<typeof offer>

/**
 * Never who has the seats. Nor does the count tell who comes, to somebody who sends an RSVP in another's name and looks again: seats are then held for half
 * an hour whether that address has some already or not.
 */
export const readRsvpOffer = endpoint({
  name: 'readRsvpOffer',
  method: 'GET',
  path: '/api/events/:id/rsvp',
  access: 'optional',
  inView: 'members.look',
  summary: 'Whether an event takes RSVPs, and what it asks for',
  params: eventId,
  reply: offer,
  failures: [],
})

/** The card provider's page, where something is to be paid; the seats are kept until it ends. */
const payAt = z.optional(z.string())

/** How long seats are held for an RSVP that is not confirmed; null where none are, left out of every other. */
const heldMinutes = z.optional(z.nullable(z.int()))

export const rsvpBody = z.object({
  name: rsvpNameField,
  email: emailField,
  guests: guestsField,
  meals: mealsField,
  /** Whether a place on the waitlist will do; `false`: RSVP_FULL is answered where there is no room. */
  waitlist: z.optional(z.boolean()),
  recaptchaToken: recaptchaTokenField,
})

/**
 * The same answer for every address; the email tells its owner what holds. What is owed is decided here alone: the member price counts for the
 * address of a member who is signed in. So does an RSVP that is free; from anybody else it is `unconfirmed` until the email's button is pressed.
 */
export const sendRsvp = endpoint({
  name: 'sendRsvp',
  method: 'POST',
  path: '/api/events/:id/rsvp',
  access: 'optional',
  summary: 'Say that one comes to an event, and pay where it costs something; one RSVP an address',
  params: eventId,
  body: rsvpBody,
  reply: z.object({ place: z.enum(['coming', 'paying', 'waiting', 'unconfirmed']), payAt, heldMinutes }),
  failures: ['BOT_CHECK_FAILED', 'BOT_CHECK_UNAVAILABLE', 'RSVP_CLOSED', 'RSVP_FULL', 'CHECKOUT_FAILED'],
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
  place: z.enum([...RSVP_PLACES, 'unconfirmed']),
  /** Until when seats are held that are not confirmed, ISO 8601; null or left out where none are. */
  heldUntil: z.optional(z.nullable(z.string())),
  offer,
  hasCertificate: z.boolean(),
  /** null where this party pays nothing and never did. */
  money: z.nullable(
    z.object({
      currency: z.string(),
      /** Cents agreed for the person and for each guest. */
      own: z.int(),
      guest: z.int(),
      /** Cents paid and not given back. */
      paid: z.int(),
      /** Cents to be paid for the seats that are kept, and until when. */
      owed: z.int(),
      payBy: z.nullable(z.string()),
      /** Whether seats given back now are paid back, and the last day of that. */
      isRefundable: z.boolean(),
      refundUntil: z.nullable(z.string()),
    }),
  ),
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

/** May be repeated. Seats whose time is over are given all the same while there are some; else the party waits. */
export const confirmRsvp = endpoint({
  name: 'confirmRsvp',
  method: 'POST',
  path: '/api/rsvp/confirm',
  access: 'anyone',
  summary: 'Confirm an RSVP by the link of its email, so that its seats count for good',
  body: z.object({ token: tokenField }),
  reply: ownRsvp,
  failures: ['RSVP_LINK_INVALID', 'RSVP_CLOSED', 'RSVP_MAILBOX_FULL'],
})

export const changeRsvp = endpoint({
  name: 'changeRsvp',
  method: 'POST',
  path: '/api/rsvp/change',
  access: 'anyone',
  summary: 'Change name, guests and meals by the link of a letter',
  body: z.object({ token: tokenField, name: rsvpNameField, guests: guestsField, meals: mealsField }),
  reply: z.extend(ownRsvp, { payAt }),
  failures: ['RSVP_LINK_INVALID', 'RSVP_CLOSED', 'CHECKOUT_FAILED'],
})

/** Leads to the same page as long as that is open. */
export const payRsvp = endpoint({
  name: 'payRsvp',
  method: 'POST',
  path: '/api/rsvp/pay',
  access: 'anyone',
  summary: 'Where seats are paid that came free for somebody on the waitlist',
  body: z.object({ token: tokenField }),
  reply: z.object({ payAt: z.string() }),
  failures: ['RSVP_LINK_INVALID', 'RSVP_CLOSED', 'CHECKOUT_FAILED'],
})

export const verifyRsvpPayment = endpoint({
  name: 'verifyRsvpPayment',
  method: 'POST',
  path: '/api/rsvp/payment',
  access: 'anyone',
  summary: 'What became of a payment for seats, asked by whoever comes back from paying',
  body: z.object({
    session_id: lineField(messages.payment.missingSession, 255),
    nonce: lineField(messages.payment.missingNonce, 255),
  }),
  /** `returned`: the seats were gone when it was paid, and the money goes back. */
  reply: z.object({ outcome: z.enum(['paid', 'returned', 'open', 'ended']) }),
  failures: ['PAYMENT_LINK_INVALID', 'PAYMENT_CHECK_FAILED'],
})

/** May be repeated. Whoever waits longest and fits gets the seats. */
export const giveUpRsvpPayment = endpoint({
  name: 'giveUpRsvpPayment',
  method: 'POST',
  path: '/api/rsvp/payment/give-up',
  access: 'anyone',
  summary: 'Gives seats back that were kept for a payment which will not be made',
  body: z.object({
    order: lineField(messages.payment.missingSession, 64),
    nonce: lineField(messages.payment.missingNonce, 255),
  }),
  reply: z.object({ eventId: z.string() }),
  failures: ['PAYMENT_LINK_INVALID'],
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
  method: 'POST',
  path: '/api/rsvp/certificate',
  access: 'anyone',
  summary: 'The certificate of attendance of a guest who was checked in',
  body: z.object({ token: tokenField }),
  media: 'application/pdf',
  failures: ['RSVP_LINK_INVALID'],
})

/** What an officer says about an event's RSVPs; a blank is null. */
export const optionalWords = optionalLineField(300)
