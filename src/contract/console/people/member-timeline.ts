import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { auditEntry } from '../audit.ts'
import { memberNote } from './member-notes.ts'

/** Everything that concerns a member, newest first: payments, emails, RSVPs, credentials, messages, changes and notes. Instants are ISO 8601. */

export const TIMELINE_FILTERS = ['all', 'payments', 'emails', 'notes'] as const
export type TimelineFilter = (typeof TIMELINE_FILTERS)[number]

export const TIMELINE_PAGE = 30

/** What an entry is about; determines its icon. */
export const TIMELINE_KINDS = [
  'payment',
  'refund',
  'email',
  'newsletter',
  'event',
  'check-in',
  'credentials',
  'membership',
  'message',
  'account',
  'note',
] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** The state of an email. `dropped`: no longer true when it was about to be sent. */
export const EMAIL_STATES = ['queued', 'delivered', 'bounced', 'failed', 'dropped'] as const
export type EmailState = (typeof EMAIL_STATES)[number]

export const EMAIL_STATE_NAMES: Record<EmailState, string> = {
  queued: 'Queued',
  delivered: 'Delivered',
  bounced: 'Bounced',
  failed: 'Failed',
  dropped: 'Not sent',
}

const timelineEntry = z.object({
  /** Unique within the timeline. */
  id: z.string(),
  at: z.string(),
  kind: z.enum(TIMELINE_KINDS),
  /** A sentence in three parts; the second links to `path` if there is one. */
  text: z.object({ before: z.string(), name: z.string(), after: z.string(), path: z.nullable(z.string()) }),
  /** What is known besides the sentence, such as who recorded it; null for nothing. */
  detail: z.nullable(z.string()),
  /** For emails. */
  state: z.nullable(z.enum(EMAIL_STATES)),
  /** The id of an email whose sending failed and can be retried; null for all others. */
  failedEmail: z.nullable(z.string()),
  /** The receipt of a payment of dues, which can be opened. */
  receipt: z.nullable(z.object({ paymentId: z.string(), number: z.string() })),
  note: z.nullable(memberNote),
  /** Of a change by an officer. */
  changes: auditEntry.shape.changes,
})
export type TimelineEntry = z.infer<typeof timelineEntry>

export const getMemberTimeline = endpoint({
  name: 'getMemberTimeline',
  method: 'GET',
  path: '/api/console/members/:id/timeline',
  access: 'officer',
  permission: 'members.look',
  summary: 'List what concerns a member, newest first, in pages; without what the caller may not see',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  query: z.object({
    show: z.optional(z.enum(TIMELINE_FILTERS)),
    /** `next` of the page before. */
    before: z.optional(z.string().check(z.regex(/^\d{1,15}~[\w:-]{1,100}$/, messages.text.unreadable))),
  }),
  reply: z.object({
    entries: z.array(timelineEntry),
    /** null on the last page. */
    next: z.nullable(z.string()),
  }),
  failures: ['NOT_FOUND'],
})
