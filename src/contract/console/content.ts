import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** Calls of the console about what the site says: every kind of content is described by the server and edited by the same pages. */

/** How a field is filled in. `group` is a list of things with fields of their own. */
const CONTENT_CONTROLS = [
  'line',
  'text',
  'markdown',
  'day',
  'time',
  'number',
  'dollars',
  'choice',
  'ticks',
  'switch',
  /** A list, each on a line of its own. */
  'lines',
  'picture',
  'pictures',
  /** An event's date and hours, as an officer writes them. */
  'eventDate',
  'eventTime',
  'group',
] as const

const simpleField = z.object({
  /** Where it stands in the value; of a value within a value as `address.city`. */
  name: z.string(),
  label: z.string(),
  control: z.enum(CONTENT_CONTROLS),
  hint: z.nullable(z.string()),
  isRequired: z.boolean(),
  /** Cannot be changed once the record exists. */
  isFixed: z.boolean(),
  options: z.array(z.object({ value: z.union([z.string(), z.number()]), label: z.string() })),
})
const contentField = z.extend(simpleField, {
  /** Of each thing of a group; the first names it. */
  fields: z.array(simpleField),
})
export type ContentField = z.infer<typeof contentField>

/** What a record says, by the names of its fields. */
const contentValue = z.record(z.string(), z.unknown())
export type ContentValue = z.infer<typeof contentValue>

/** `changed`: public, with changes that are not; `draft`: not public yet. */
export const CONTENT_STATES = ['published', 'changed', 'draft', 'scheduled', 'deleted'] as const
export type ContentState = (typeof CONTENT_STATES)[number]

const kindFacts = z.object({
  kind: z.string(),
  label: z.string(),
  /** What one of them is called, such as `event`. */
  one: z.string(),
  lead: z.string(),
  section: z.string(),
  /** A single record has no list. */
  isSingle: z.boolean(),
  canAdd: z.boolean(),
})
export type ContentKindFacts = z.infer<typeof kindFacts>

const kindParams = z.object({ kind: lineField(messages.text.unreadable, 40) })
const recordParams = z.object({
  kind: lineField(messages.text.unreadable, 40),
  id: lineField(messages.text.unreadable, 200),
})

export const listContentKinds = endpoint({
  name: 'listContentKinds',
  method: 'GET',
  path: '/api/console/content',
  access: 'officer',
  permission: 'content.change',
  summary: 'What officers may write, kind by kind',
  reply: z.object({ kinds: z.array(z.extend(kindFacts, { drafts: z.int() })) }),
  failures: [],
})

export const listContent = endpoint({
  name: 'listContent',
  method: 'GET',
  path: '/api/console/content/:kind',
  access: 'officer',
  permission: 'content.change',
  summary: 'The records of a kind, also drafts; deleted ones only when asked for',
  params: kindParams,
  query: z.object({
    q: z.optional(lineField(messages.text.unreadable, 100)),
    state: z.optional(z.enum(CONTENT_STATES)),
    /** From 1. */
    page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/, messages.text.unreadable))),
  }),
  reply: z.object({
    kind: kindFacts,
    records: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        detail: z.string(),
        state: z.enum(CONTENT_STATES),
        /** When it goes public, in words; null unless scheduled. */
        publishWords: z.nullable(z.string()),
      }),
    ),
    total: z.int(),
    pages: z.int(),
  }),
  failures: ['NOT_FOUND'],
})

/** Lines of a text before and after: what stayed is left out but for its neighbours. */
export const contentDifference = z.object({
  field: z.string(),
  lines: z.array(z.object({ change: z.enum(['same', 'added', 'removed', 'gap']), text: z.string() })),
})
export type ContentDifference = z.infer<typeof contentDifference>

const contentRevision = z.object({
  number: z.int(),
  action: z.enum(['found', 'draft', 'scheduled', 'published', 'deleted']),
  at: z.string(),
  by: z.string(),
  differences: z.array(contentDifference),
})
export type ContentRevision = z.infer<typeof contentRevision>

const contentRecord = z.object({
  kind: kindFacts,
  fields: z.array(contentField),
  id: z.nullable(z.string()),
  title: z.string(),
  value: contentValue,
  state: z.nullable(z.enum(CONTENT_STATES)),
  /** Sent back with a change: another one means that somebody was quicker. */
  version: z.string(),
  /** Its page on the site; null while it is not public, or has none of its own. */
  path: z.nullable(z.string()),
  /** On the association's clock, as an input of date and time takes it, and in words. */
  publishAt: z.nullable(z.object({ local: z.string(), words: z.string() })),
  /** Why it did not appear at the hour it was scheduled for; null unless it was held. */
  held: z.nullable(z.string()),
  /** Newest first. */
  revisions: z.array(contentRevision),
  canDelete: z.boolean(),
})
export type ContentRecord = z.infer<typeof contentRecord>

/** An empty record, for a form that makes a new one. */
export const NEW_RECORD = 'new'

export const getContent = endpoint({
  name: 'getContent',
  method: 'GET',
  path: '/api/console/content/:kind/:id',
  access: 'officer',
  permission: 'content.change',
  summary: 'A record with its form and its history; `new` answers an empty one',
  params: recordParams,
  reply: contentRecord,
  failures: ['NOT_FOUND'],
})

export const saveContent = endpoint({
  name: 'saveContent',
  method: 'PUT',
  path: '/api/console/content/:kind/:id',
  access: 'officer',
  permission: 'content.change',
  summary: 'Keeps a draft, publishes at once, or at a time to come; the id `new` makes a record',
  params: recordParams,
  body: z.object({
    value: contentValue,
    version: z.string().check(z.maxLength(64)),
    action: z.enum(['draft', 'publish', 'schedule']),
    /** With `schedule`: such as `2026-12-01T08:00`, on the association's clock. */
    publishAt: z.optional(z.string().check(z.maxLength(16))),
  }),
  reply: contentRecord,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const restoreContent = endpoint({
  name: 'restoreContent',
  method: 'POST',
  path: '/api/console/content/:kind/:id/restore',
  access: 'officer',
  permission: 'content.change',
  summary: 'What a record said in a former version, as a new version: public if that one was',
  params: recordParams,
  body: z.object({ number: z.int(), version: z.string().check(z.maxLength(64)) }),
  reply: contentRecord,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const deleteContent = endpoint({
  name: 'deleteContent',
  method: 'DELETE',
  path: '/api/console/content/:kind/:id',
  access: 'officer',
  permission: 'content.change',
  asksAgain: true,
  summary: 'Takes a record off the site; its history stays and can bring it back',
  params: recordParams,
  query: z.object({ version: z.string().check(z.maxLength(64)) }),
  reply: contentRecord,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'EVENT_AWAITED'],
})

export const previewWords = endpoint({
  name: 'previewWords',
  method: 'POST',
  path: '/api/console/preview',
  access: 'officer',
  permission: 'content.change',
  summary: 'Markdown as the site’s pages show it',
  body: z.object({ markdown: z.string().check(z.maxLength(50_000, 'This is longer than a page may be.')) }),
  reply: z.object({ html: z.string() }),
  failures: [],
})
