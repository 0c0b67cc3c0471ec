import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Console endpoints for content. The server describes every kind of content, and the same pages edit them all. */

/** Input type of a field. `group` is a list of objects with their own fields. */
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
  /** A list with one item per line. */
  'lines',
  'color',
  'picture',
  'pictures',
  /** An event's date and time as entered by an officer. */
  'eventDate',
  'eventTime',
  'group',
] as const

const simpleField = z.object({
  /** Its key in the value; nested as `address.city`. */
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
  /** The fields of each object of a group; the first is its label. */
  fields: z.array(simpleField),
})
export type ContentField = z.infer<typeof contentField>

/** The values of a record by field name. */
const contentValue = z.record(z.string(), z.unknown())
export type ContentValue = z.infer<typeof contentValue>

/** Reads a dotted path such as `address.city`; undefined when empty. */
export function valueAt(value: ContentValue, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, part) => {
    const isKnown = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, part)
    return isKnown ? (inner as ContentValue)[part] : undefined
  }, value)
}

/** `changed`: published, with unpublished changes; `draft`: not published yet. */
export const CONTENT_STATES = ['published', 'changed', 'draft', 'scheduled', 'deleted'] as const
export type ContentState = (typeof CONTENT_STATES)[number]

const kindSummary = z.object({
  kind: z.string(),
  label: z.string(),
  /** Singular name, such as `event`. */
  one: z.string(),
  lead: z.string(),
  section: z.string(),
  /** A singleton has no list. */
  isSingle: z.boolean(),
  canAdd: z.boolean(),
})
export type ContentKindSummary = z.infer<typeof kindSummary>

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
  summary: 'List the kinds of content that officers may edit',
  reply: z.object({ kinds: z.array(z.extend(kindSummary, { drafts: z.int() })) }),
  failures: [],
})

export const listContent = endpoint({
  name: 'listContent',
  method: 'GET',
  path: '/api/console/content/:kind',
  access: 'officer',
  permission: 'content.change',
  summary: 'List the records of a kind, including drafts; deleted ones only on request',
  params: kindParams,
  query: z.object({
    q: z.optional(lineField(messages.text.unreadable, 100)),
    state: z.optional(z.enum(CONTENT_STATES)),
    /** Starts at 1. */
    page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/, messages.text.unreadable))),
  }),
  reply: z.object({
    kind: kindSummary,
    records: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        detail: z.string(),
        state: z.enum(CONTENT_STATES),
        /** Formatted publication time; null unless scheduled. */
        publishWords: z.nullable(z.string()),
      }),
    ),
    total: z.int(),
    pages: z.int(),
  }),
  failures: ['NOT_FOUND'],
})

const listedContent = z.object({
  kind: z.string(),
  /** Singular name of the kind, such as `event`. */
  what: z.string(),
  section: z.string(),
  id: z.string(),
  title: z.string(),
  detail: z.string(),
  /** null for a single record that was never saved. */
  state: z.nullable(z.enum(CONTENT_STATES)),
  /** Formatted publication time; null unless scheduled. */
  publishWords: z.nullable(z.string()),
  /** Its public page; null while unpublished or if it has none. */
  path: z.nullable(z.string()),
  /** The last change, saved or published; null if there was none. */
  changedAt: z.nullable(z.string()),
  /** null if it is the content that the site came with. */
  changedBy: z.nullable(z.string()),
})
export type ListedContent = z.infer<typeof listedContent>

export const listAllContent = endpoint({
  name: 'listAllContent',
  method: 'GET',
  path: '/api/console/content-records',
  access: 'officer',
  permission: 'content.change',
  summary: 'List the records of all kinds but settings with their state and last change; deleted ones only on request',
  query: z.object({
    q: z.optional(lineField(messages.text.unreadable, 100)),
    state: z.optional(z.enum(CONTENT_STATES)),
    section: z.optional(lineField(messages.text.unreadable, 40)),
    sort: z.optional(z.enum(['changed', 'title'])),
    /** Starts at 1. */
    page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/, messages.text.unreadable))),
    size: z.optional(z.enum(['25', '50', '100'])),
  }),
  reply: z.object({
    records: z.array(listedContent),
    total: z.int(),
    /** How many records of the search and section are in each state. */
    counts: z.record(z.enum(CONTENT_STATES), z.int()),
  }),
  failures: [],
})

/** A line diff; unchanged lines are omitted except around changes. */
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
  kind: kindSummary,
  fields: z.array(contentField),
  id: z.nullable(z.string()),
  title: z.string(),
  value: contentValue,
  state: z.nullable(z.enum(CONTENT_STATES)),
  /** Optimistic-lock token; a mismatch means a concurrent edit. */
  version: z.string(),
  /** Its public page; null while unpublished or if it has none. */
  path: z.nullable(z.string()),
  /** In the association's time zone, as a datetime input value and as formatted text. */
  publishAt: z.nullable(z.object({ local: z.string(), words: z.string() })),
  /** Why it was not published at its scheduled time; null unless it was held back. */
  held: z.nullable(z.string()),
  /** Newest first. */
  revisions: z.array(contentRevision),
  canDelete: z.boolean(),
})
export type ContentRecord = z.infer<typeof contentRecord>

/** An empty record for a new form. */
export const NEW_RECORD = 'new'

export const getContent = endpoint({
  name: 'getContent',
  method: 'GET',
  path: '/api/console/content/:kind/:id',
  access: 'officer',
  permission: 'content.change',
  summary: 'Get a record with its form and history; `new` returns an empty one',
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
  summary: 'Save a draft, publish, or schedule; the id `new` creates a record',
  params: recordParams,
  body: z.object({
    value: contentValue,
    version: z.string().check(z.maxLength(64)),
    action: z.enum(['draft', 'publish', 'schedule']),
    /** A draft that the editor saves by itself: one revision for as long as the officer goes on typing. */
    isAutomatic: z.optional(z.boolean()),
    /** Required for `schedule`, such as `2026-12-01T08:00`, in the association's time zone. */
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
  summary: 'Restore an earlier version as a new version, published if that one was',
  params: recordParams,
  body: z.object({ number: z.int(), version: z.string().check(z.maxLength(64)) }),
  reply: contentRecord,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const unpublishContent = endpoint({
  name: 'unpublishContent',
  method: 'POST',
  path: '/api/console/content/:kind/:id/unpublish',
  access: 'officer',
  permission: 'content.change',
  summary: 'Take a record off the site; it stays as a draft',
  params: recordParams,
  body: z.object({ version: z.string().check(z.maxLength(64)) }),
  reply: contentRecord,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'EVENT_AWAITED'],
})

export const deleteContent = endpoint({
  name: 'deleteContent',
  method: 'DELETE',
  path: '/api/console/content/:kind/:id',
  access: 'officer',
  permission: 'content.change',
  requiresFreshFactor: true,
  summary: 'Delete a record; its history remains and can restore it',
  params: recordParams,
  query: z.object({ version: z.string().check(z.maxLength(64)) }),
  reply: contentRecord,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'EVENT_AWAITED'],
})

export const previewMarkdown = endpoint({
  name: 'previewWords',
  method: 'POST',
  path: '/api/console/preview',
  access: 'officer',
  permission: 'content.change',
  summary: 'Render Markdown as the site’s pages show it',
  body: z.object({ markdown: z.string().check(z.maxLength(50_000, 'This is too long for a page.')) }),
  reply: z.object({ html: z.string() }),
  failures: [],
})
