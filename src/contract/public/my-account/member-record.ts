import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { RECORD_AUDIENCES } from '#contract/member-record/record-fields.ts'
import { byField, recordField, recordInput, recordValue } from '#contract/member-record/record-schema.ts'
import { messages } from '#contract/messages.ts'

/** What the member record holds about the caller: a value for each field that the association asks for, with who sees it. */

const audience = z.enum(RECORD_AUDIENCES, messages.text.unreadable)

const accountField = z.extend(recordField, {
  value: z.nullable(recordValue),
  /** Who sees the value besides its owner; without a value, what a new one gets. */
  audience,
  /** What the owner may choose. */
  audiences: z.array(audience),
  /** The day on which the owner last entered or confirmed the value. */
  confirmedOn: z.nullable(z.string()),
  /** Who entered the value; null without one. */
  enteredBy: z.nullable(z.enum(['owner', 'officer', 'import'])),
  /** Whether the owner may change the value. */
  mayEdit: z.boolean(),
})
export type AccountField = z.infer<typeof accountField>

const accountRecord = z.object({
  fields: z.array(accountField),
  /** Sent back by a change, which is refused when it is outdated. */
  version: z.string(),
})
export type AccountRecord = z.infer<typeof accountRecord>

const version = z.string().check(z.maxLength(64, messages.text.unreadable))

export const getRecord = endpoint({
  name: 'getRecord',
  method: 'GET',
  path: '/api/account/record',
  access: 'member',
  inView: 'members.look',
  summary: "The caller's member record: fields, values and who sees them",
  reply: accountRecord,
  failures: [],
})

export const updateRecord = endpoint({
  name: 'updateRecord',
  method: 'PUT',
  path: '/api/account/record',
  access: 'member',
  summary: 'Change values of the member record, or who sees them; what is left out stays',
  body: z.object({
    version,
    /** By key; null deletes a value. */
    values: z.optional(recordInput),
    audiences: z.optional(byField(audience)),
  }),
  reply: accountRecord,
  failures: ['PROFILE_CHANGED'],
})

export const confirmRecord = endpoint({
  name: 'confirmRecord',
  method: 'POST',
  path: '/api/account/record/confirm',
  access: 'member',
  summary: 'Confirm that all values of the member record are right today',
  body: z.object({ version }),
  reply: accountRecord,
  failures: ['PROFILE_CHANGED'],
})

export const RECORD_VIEWERS = ['stranger', 'member', 'officer'] as const
export type RecordViewer = (typeof RECORD_VIEWERS)[number]

/** A value as others see it. What they may not see is left out. */
export const visibleValue = z.object({
  ...z.pick(recordField, { key: true, label: true, kind: true }).shape,
  value: recordValue,
})
export type VisibleValue = z.infer<typeof visibleValue>

export const seeRecordAs = endpoint({
  name: 'seeRecordAs',
  method: 'GET',
  path: '/api/account/record/seen-as/:viewer',
  access: 'member',
  summary: "What others see of the caller's member record",
  params: z.object({ viewer: z.enum(RECORD_VIEWERS, messages.text.unreadable) }),
  reply: z.object({ values: z.array(visibleValue) }),
  failures: [],
})
