import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { dayField, reasonField } from '../member.ts'
import { memberListQuery, selectedIds } from '../member-list.ts'
import { noteText } from './member-notes.ts'

/** One action on many members: previewed, then run in the background, and undone where that is possible. */

export const BULK_ACTIONS = ['renewal-link', 'password-reset', 'complimentary', 'note'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]

/** Emails wait this long, so that they can be taken back. */
export const BULK_EMAIL_DELAY_MS = 20_000
/** Names given for each reason. */
export const BULK_NAMES_SHOWN = 5

const details = z.object({
  /** For `complimentary`. */
  levelKey: z.optional(lineField('Please choose a level', 64)),
  /** For `complimentary`; omitted for a lifetime level. */
  endsOn: z.optional(dayField('Please enter the last day')),
  reason: z.optional(reasonField),
  /** For `note`. */
  text: z.optional(noteText),
})
export type BulkDetails = z.infer<typeof details>

const wanted = {
  action: z.enum(BULK_ACTIONS),
  /** These members, or all that match a filter. */
  selection: z.union([z.object({ ids: selectedIds }), z.object({ filter: memberListQuery })]),
  details,
}

const outcome = {
  total: z.int(),
  /** Skipped members, by reason. */
  skipped: z.array(z.object({ reason: z.string(), count: z.int(), names: z.array(z.string()) })),
}

const forOfficers = { access: 'officer', permission: 'members.change' } as const

export const previewBulk = endpoint({
  ...forOfficers,
  name: 'previewBulk',
  method: 'POST',
  path: '/api/console/member-actions/preview',
  summary: 'Count whom an action on many members would reach, and whom it would skip and why; changes nothing',
  body: z.object(wanted),
  reply: z.object({ ...outcome, reached: z.int() }),
  failures: [],
})

const bulkRun = z.object({
  ...outcome,
  id: z.string(),
  action: z.enum(BULK_ACTIONS),
  state: z.enum(['running', 'done', 'undone']),
  /** Members reached so far. */
  done: z.int(),
  /** Members still waiting. */
  waiting: z.int(),
  startedAt: z.string(),
  finishedAt: z.nullable(z.string()),
  /** Until when it can be undone; null if it can not, or no longer. */
  undoUntil: z.nullable(z.string()),
})
export type BulkRun = z.infer<typeof bulkRun>

export const startBulk = endpoint({
  ...forOfficers,
  name: 'startBulk',
  method: 'POST',
  path: '/api/console/member-actions',
  requiresFreshFactor: true,
  summary: 'Start an action on many members in the background',
  body: z.object({
    ...wanted,
    /** As previewed: refused with CHANGED_MEANWHILE if it would reach another number now. */
    reached: z.int().check(z.gte(0), z.lte(100_000)),
  }),
  reply: bulkRun,
  status: 201,
  failures: ['CHANGED_MEANWHILE'],
})

const params = z.object({ id: lineField(messages.text.unreadable, 64) })

export const getBulkRun = endpoint({
  ...forOfficers,
  name: 'getBulkRun',
  method: 'GET',
  path: '/api/console/member-actions/:id',
  summary: 'Get the progress and the result of an action on many members',
  params,
  reply: bulkRun,
  failures: ['NOT_FOUND'],
})

export const undoBulk = endpoint({
  ...forOfficers,
  name: 'undoBulk',
  method: 'POST',
  path: '/api/console/member-actions/:id/undo',
  summary: 'Take back emails that have not been sent yet, or delete the added notes. Idempotent',
  params,
  body: z.object({}),
  reply: bulkRun,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})
