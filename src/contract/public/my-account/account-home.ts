import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'

/** What the first page of the account shows besides profile, membership and payments. Instants are ISO 8601, amounts in minor units. */

const eventInBrief = z.object({
  id: z.string(),
  title: z.string(),
  /** As shown on the event's page; see `AssociationEvent`. */
  date: z.string(),
  time: z.nullable(z.string()),
  location: z.string(),
  /** `YYYY-MM-DD`. */
  startsOn: z.string(),
})

/** An RSVP of the member's address to an event that has not ended and is not canceled. */
const memberRsvp = z.object({
  event: eventInBrief,
  /** One of `RSVP_STATUSES` that is not canceled, or `unconfirmed`. */
  place: z.enum(['coming', 'paying', 'waiting', 'unconfirmed']),
  guests: z.int(),
  /** null if the party owes and has paid nothing, and in a member view whose officer may not see payments. */
  money: z.nullable(
    z.object({
      currency: z.string(),
      /** Paid and not refunded. */
      paid: z.int(),
      /** Due for seats offered from the waitlist, and until when. */
      owed: z.int(),
      payBy: z.nullable(z.string()),
    }),
  ),
  /** The page on which the RSVP is changed, confirmed, paid or canceled; null in a member view, which is read-only. */
  url: z.nullable(z.string()),
})
export type MemberRsvp = z.infer<typeof memberRsvp>

const unansweredEvent = z.object({
  event: eventInBrief,
  /** When RSVPs close, and the last whole day on which they are taken, `YYYY-MM-DD`; see `PublicRsvpSettings`. */
  closesAt: z.nullable(z.string()),
  lastDay: z.nullable(z.string()),
})
export type UnansweredEvent = z.infer<typeof unansweredEvent>

export const accountHome = z.object({
  /** A new email address that its owner has not confirmed yet. */
  pendingEmail: z.nullable(z.string()),
  /** State of the newest credentials; `question`: officers wait for an answer, `unasked`: there are none, and the association asks for none. */
  credentials: z.enum(['unasked', 'missing', 'question', 'waiting', 'approved', 'declined']),
  /** Soonest first. */
  rsvps: z.array(memberRsvp),
  /** Events that take RSVPs now and have neither an RSVP nor a refusal of the member; soonest first, at most three. */
  unanswered: z.array(unansweredEvent),
})
export type AccountHome = z.infer<typeof accountHome>

export const getAccountHome = endpoint({
  name: 'getAccountHome',
  method: 'GET',
  path: '/api/account/home',
  access: 'member',
  inView: 'members.look',
  summary: "The caller's RSVPs and what waits for the caller",
  reply: accountHome,
  failures: [],
})
