import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { emailField, lineField, optionalLineField, recaptchaTokenField } from '../fields.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { offeredTicketKind, partyTicket, ticketsField } from '../tickets/tickets.ts'

/** RSVPs to events. */

/** The maximum number of guests per person that an officer can allow. */
export const GUESTS_MAX = 10

/** `none`: takes no RSVPs. `full`: new RSVPs go to the waitlist. `off`: the event is canceled. */
export const RSVP_STATES = ['none', 'open', 'full', 'closed', 'off', 'over'] as const
/** `waiting`: on the waitlist. `paying`: promoted from the waitlist, with seats held until paid. */
export const RSVP_STATUSES = ['coming', 'paying', 'waiting', 'cancelled'] as const
/** How long seats are held for an unconfirmed email address. */
export const HOLD_MINUTES = 30

export const guestsField = z
  .int(messages.rsvp.guests)
  .check(z.gte(0, messages.rsvp.guests), z.lte(GUESTS_MAX, messages.rsvp.guests))
/** The chosen meal of the person and each guest; empty if the event has no menu. */
const mealsField = z.array(lineField(messages.rsvp.meals, 60), messages.rsvp.meals).check(z.maxLength(GUESTS_MAX + 1))
export const rsvpNameField = lineField(messages.contact.name, limits.contact.nameMax)
const tokenField = lineField(messages.link.required, 200)
const eventId = z.object({ id: lineField(messages.text.unreadable, 200) })

const price = z.object({
  /** Cents per person. */
  person: z.int(),
  /** Cents for a member's own seat; 0 if free. */
  member: z.int(),
  currency: z.string(),
  /** The last day (`YYYY-MM-DD`) on which canceling gives a refund; null if never. */
  refundUntil: z.nullable(z.string()),
})
export type RsvpPrice = z.infer<typeof price>

const rsvpSettings = z.object({
  state: z.enum(RSVP_STATES),
  guestsMax: z.int(),
  /** The menu, one choice per person; empty if there is none. */
  meals: z.array(z.string()),
  /** The officer's message about RSVPs, or about the cancellation; may be empty. */
  words: z.string(),
  /** When RSVPs close, ISO 8601; null if not applicable. */
  closesAt: z.nullable(z.string()),
  /** The last whole day on which it takes RSVPs, `YYYY-MM-DD`; null if it closes during a day. */
  lastDay: z.nullable(z.string()),
  /** null if unlimited. */
  seatsLeft: z.nullable(z.int()),
  /** null if the event is free, or has kinds of tickets. */
  price: z.nullable(price),
  /** null for an event without kinds of tickets. */
  tickets: z.nullable(
    z.object({
      kinds: z.array(offeredTicketKind),
      currency: z.string(),
      /** As in `price`. */
      refundUntil: z.nullable(z.string()),
    }),
  ),
  /** The signed-in member's address, which gets the member price; null for everyone else. */
  memberEmail: z.nullable(z.string()),
})
export type PublicRsvpSettings = z.infer<typeof rsvpSettings>

/**
 * Reveals no guests. The number of seats left does not reveal them either, even to someone who sends an RSVP in another person's name and compares:
 * seats are then held for half an hour, whether or not that address already has some.
 */
export const readRsvpSettings = endpoint({
  name: 'readRsvpOffer',
  method: 'GET',
  path: '/api/events/:id/rsvp',
  access: 'optional',
  inView: 'members.look',
  summary: 'Get the RSVP settings of an event',
  params: eventId,
  reply: rsvpSettings,
  failures: [],
})

/** For lists of events, so that their pages stay cached. As public as the number of one event. */
export const readSeatsLeft = endpoint({
  name: 'readSeatsLeft',
  method: 'GET',
  path: '/api/events/seats-left',
  access: 'anyone',
  summary: 'Get the seats left of the events that take RSVPs and have limited seats',
  reply: z.object({ events: z.array(z.object({ id: z.string(), seatsLeft: z.int() })) }),
  failures: [],
})

/** The card provider's page, if a payment is due; the seats are held until it expires. */
const payAt = z.optional(z.string())

/** How long seats of an unconfirmed RSVP are held; null if none are, omitted for all others. */
const heldMinutes = z.optional(z.nullable(z.int()))

export const rsvpBody = z.object({
  name: rsvpNameField,
  email: emailField,
  guests: guestsField,
  meals: mealsField,
  /** For an event with kinds of tickets; they decide the number of guests. */
  tickets: z.optional(ticketsField),
  /** Whether the waitlist is acceptable; if `false`, the response is RSVP_FULL when there is no room. */
  waitlist: z.optional(z.boolean()),
  recaptchaToken: recaptchaTokenField,
})

/**
 * The response is the same for every address; the email tells its owner the current state. The server decides what is due: the member price applies
 * to the address of a signed-in member. A free RSVP takes effect immediately for the caller's own address; otherwise it is `unconfirmed` until the
 * link in the email is confirmed.
 */
export const sendRsvp = endpoint({
  name: 'sendRsvp',
  method: 'POST',
  path: '/api/events/:id/rsvp',
  access: 'optional',
  summary: 'Send an RSVP, and pay if the event is not free; one RSVP per address',
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
  /** Empty without kinds of tickets. */
  tickets: z.array(partyTicket),
  place: z.enum([...RSVP_STATUSES, 'unconfirmed']),
  /** When the hold on unconfirmed seats ends, ISO 8601; null or omitted if none are held. */
  heldUntil: z.optional(z.nullable(z.string())),
  offer: rsvpSettings,
  hasCertificate: z.boolean(),
  /** null if this party owes and has paid nothing. */
  money: z.nullable(
    z.object({
      currency: z.string(),
      /** Cents agreed for the person and per guest. */
      own: z.int(),
      guest: z.int(),
      /** Cents paid and not refunded. */
      paid: z.int(),
      /** Cents due for the held seats, and the deadline. */
      owed: z.int(),
      payBy: z.nullable(z.string()),
      /** Whether canceling now gives a refund, and the last day of that. */
      isRefundable: z.boolean(),
      refundUntil: z.nullable(z.string()),
    }),
  ),
})
export type OwnRsvp = z.infer<typeof ownRsvp>

/** A POST request, so that the emailed token appears in no URL and no log. */
export const readOwnRsvp = endpoint({
  name: 'readOwnRsvp',
  method: 'POST',
  path: '/api/rsvp/read',
  access: 'anyone',
  summary: 'Get the RSVP of an emailed link',
  body: z.object({ token: tokenField }),
  reply: ownRsvp,
  failures: ['RSVP_LINK_INVALID'],
})

/** A member's RSVP to an event that is still to come. */
const memberRsvp = z.object({
  event: z.object({
    id: z.string(),
    title: z.string(),
    date: z.string(),
    time: z.nullable(z.string()),
  }),
  /** The member and the guests. */
  seats: z.int(),
  place: z.enum(['coming', 'paying', 'waiting']),
})
export type MemberRsvp = z.infer<typeof memberRsvp>

/** Additive. For the address of the caller's account; null for those without an active membership. */
export const readNextRsvp = endpoint({
  name: 'readNextRsvp',
  method: 'GET',
  path: '/api/account/next-rsvp',
  access: 'member',
  inView: 'members.look',
  summary: 'Get the member’s RSVP to the next event that has one',
  reply: z.object({ rsvp: z.nullable(memberRsvp) }),
  failures: [],
})

/** Idempotent. After the hold has expired, seats are still given while there are some; otherwise the party joins the waitlist. */
export const confirmRsvp = endpoint({
  name: 'confirmRsvp',
  method: 'POST',
  path: '/api/rsvp/confirm',
  access: 'anyone',
  summary: 'Confirm an RSVP by its emailed link, so that its seats are kept',
  body: z.object({ token: tokenField }),
  reply: ownRsvp,
  failures: ['RSVP_LINK_INVALID', 'RSVP_CLOSED', 'RSVP_MAILBOX_FULL'],
})

export const changeRsvp = endpoint({
  name: 'changeRsvp',
  method: 'POST',
  path: '/api/rsvp/change',
  access: 'anyone',
  summary: 'Change the name, guests or tickets, and meals of an RSVP by its emailed link',
  body: z.object({
    token: tokenField,
    name: rsvpNameField,
    guests: guestsField,
    meals: mealsField,
    tickets: z.optional(ticketsField),
  }),
  reply: z.extend(ownRsvp, { payAt }),
  failures: ['RSVP_LINK_INVALID', 'RSVP_CLOSED', 'CHECKOUT_FAILED'],
})

/** Returns the same page as long as it is open. */
export const payRsvp = endpoint({
  name: 'payRsvp',
  method: 'POST',
  path: '/api/rsvp/pay',
  access: 'anyone',
  summary: 'Get the payment page for seats offered from the waitlist',
  body: z.object({ token: tokenField }),
  reply: z.object({ payAt: z.string() }),
  failures: ['RSVP_LINK_INVALID', 'RSVP_CLOSED', 'CHECKOUT_FAILED'],
})

export const verifyRsvpPayment = endpoint({
  name: 'verifyRsvpPayment',
  method: 'POST',
  path: '/api/rsvp/payment',
  access: 'anyone',
  summary: 'Check the outcome of a payment for seats on the return page',
  body: z.object({
    session_id: lineField(messages.payment.missingSession, 255),
    nonce: lineField(messages.payment.missingNonce, 255),
  }),
  /** `returned`: the seats were gone when it was paid, and the payment is refunded. */
  reply: z.object({ outcome: z.enum(['paid', 'returned', 'open', 'ended']), eventId: z.string() }),
  failures: ['PAYMENT_LINK_INVALID', 'PAYMENT_CHECK_FAILED'],
})

/** Idempotent. The seats go to the first party on the waitlist that fits. */
export const abandonRsvpPayment = endpoint({
  name: 'giveUpRsvpPayment',
  method: 'POST',
  path: '/api/rsvp/payment/give-up',
  access: 'anyone',
  summary: 'Release seats held for a payment that was abandoned',
  body: z.object({
    order: lineField(messages.payment.missingSession, 64),
    nonce: lineField(messages.payment.missingNonce, 255),
  }),
  reply: z.object({ eventId: z.string() }),
  failures: ['PAYMENT_LINK_INVALID'],
})

/** Idempotent. The seats go to the first party on the waitlist that fits. */
export const cancelRsvp = endpoint({
  name: 'cancelRsvp',
  method: 'POST',
  path: '/api/rsvp/cancel',
  access: 'anyone',
  summary: 'Cancel an RSVP by its emailed link',
  body: z.object({ token: tokenField }),
  reply: ownRsvp,
  failures: ['RSVP_LINK_INVALID'],
})

export const downloadCertificate = fileEndpoint({
  name: 'downloadCertificate',
  method: 'POST',
  path: '/api/rsvp/certificate',
  access: 'anyone',
  summary: 'Download the certificate of attendance of a guest who was checked in',
  body: z.object({ token: tokenField }),
  media: 'application/pdf',
  failures: ['RSVP_LINK_INVALID'],
})

/** An officer's message about an event's RSVPs; blank becomes null. */
export const optionalMessageField = optionalLineField(300)
