import * as z from 'zod/mini'
import { isDay } from './days.ts'
import { endpoint, fileEndpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** What the audit log is filtered by, in the order of the filter. */
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
  /** The console page of the actor; null where there is none. */
  actorPath: z.nullable(z.string()),
  /** The code of the action, which stays the same when its sentence is reworded. */
  action: z.string(),
  kind: z.nullable(z.enum(AUDIT_KINDS)),
  /** The name of what was acted on; empty where the sentence names nothing. */
  subject: z.string(),
  subjectPath: z.nullable(z.string()),
  /** The sentence after the actor's name; the subject's name stands between its two parts. */
  text: z.object({ before: z.string(), after: z.string() }),
  /** What changed, in words; `before` is null where only the result is known. */
  changes: z.array(z.object({ label: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })),
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof auditEntry>

const dayQuery = z.optional(
  z.string(messages.text.unreadable).check(z.refine((text) => isDay(text), messages.text.unreadable)),
)

/** Each field narrows the list further. */
export const auditFilter = z.object({
  q: z.optional(lineField(messages.text.unreadable, 100)),
  /** An account's id, `system`, `stripe` or `webmaster`: what this person did, and what was done to them. */
  person: z.optional(lineField(messages.text.unreadable, 64)),
  kind: z.optional(z.enum(AUDIT_KINDS, messages.text.unreadable)),
  /** Days of the association's calendar, both included. */
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
  summary: 'Who did what, with what it was before and after; newest first',
  query: z.extend(auditFilter, {
    /** The id of the last entry seen. */
    before: z.optional(lineField(messages.text.unreadable, 64)),
  }),
  reply: z.object({
    entries: z.array(auditEntry),
    hasMore: z.boolean(),
    /** Everyone who holds or held a role, then the systems, for the filter by person. */
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
  summary: 'The audit log as CSV, filtered as it is shown; the export is an entry of the log itself',
  query: auditFilter,
  media: 'text/csv',
  failures: [],
})
