import * as z from 'zod/mini'
import { isDay } from '../dates/days.ts'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Filter categories of the audit log, in display order. */
export const AUDIT_KINDS = [
  'members',
  'money',
  'events',
  'website',
  'newsletter',
  'messages',
  'sponsors',
  'officers',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

export const AUDIT_KIND_NAMES: Record<AuditKind, string> = {
  members: 'Members',
  money: 'Money',
  events: 'Events and RSVPs',
  website: 'Website',
  newsletter: 'Newsletter',
  messages: 'Messages',
  sponsors: 'Sponsors',
  officers: 'Officers and access',
}

export const auditEntry = z.object({
  id: z.string(),
  at: z.string(),
  /** A person's name, or `The site`, `Stripe`, `The webmaster`. */
  actor: z.string(),
  /** The actor's page in the console; null if there is none. */
  actorPath: z.nullable(z.string()),
  /** The action's code, which is stable when its sentence is reworded. */
  action: z.string(),
  kind: z.nullable(z.enum(AUDIT_KINDS)),
  /** The name of the object acted on; empty if the sentence names none. */
  subject: z.string(),
  subjectPath: z.nullable(z.string()),
  /** The sentence after the actor's name; the subject's name goes between its two parts. */
  text: z.object({ before: z.string(), after: z.string() }),
  /** The changes as text; `before` is null if only the result is known. */
  changes: z.array(z.object({ label: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })),
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof auditEntry>

const dayQuery = z.optional(
  z.string(messages.text.unreadable).check(z.refine((text) => isDay(text), messages.text.unreadable)),
)

/** All given filters must match. */
export const auditFilter = z.object({
  q: z.optional(lineField(messages.text.unreadable, 100)),
  /** An account's id, `system`, `stripe` or `webmaster`: matches both actor and subject. */
  person: z.optional(lineField(messages.text.unreadable, 64)),
  kind: z.optional(z.enum(AUDIT_KINDS, messages.text.unreadable)),
  /** Days on the association's calendar, both inclusive. */
  from: dayQuery,
  to: dayQuery,
})
export type AuditFilter = z.infer<typeof auditFilter>

export const listAudit = endpoint({
  name: 'listAudit',
  method: 'GET',
  path: '/api/console/audit',
  access: 'officer',
  permission: 'audit.look',
  summary: 'List the audit log with values before and after, newest first',
  query: z.extend(auditFilter, {
    /** The id of the last entry received. */
    before: z.optional(lineField(messages.text.unreadable, 64)),
  }),
  reply: z.object({
    entries: z.array(auditEntry),
    hasMore: z.boolean(),
    /** Current and former officers, then the systems, for the actor filter. */
    people: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  failures: [],
})

export const exportAudit = fileEndpoint({
  name: 'exportAudit',
  method: 'GET',
  path: '/api/console/audit/export',
  access: 'officer',
  permission: 'audit.look',
  summary: 'Export the filtered audit log as CSV; the export is itself recorded',
  query: auditFilter,
  media: 'text/csv',
  failures: [],
})
