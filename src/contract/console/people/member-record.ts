import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { RECORD_AUDIENCES } from '#contract/member-record/record-fields.ts'
import { recordField, recordInput, recordValue } from '#contract/member-record/record-schema.ts'
import { messages } from '#contract/messages.ts'

/** What officers see and enter in the record of a member. They never choose who sees a value. */

const consoleField = z.extend(recordField, {
  /** null if there is none, and if the member keeps it private. */
  value: z.nullable(recordValue),
  /** Whether there is a value that officers do not see. */
  isPrivate: z.boolean(),
  /** Who sees the value; null without one. */
  audience: z.nullable(z.enum(RECORD_AUDIENCES)),
  /** The day on which the member last entered or confirmed it. */
  confirmedOn: z.nullable(z.string()),
})
export type ConsoleField = z.infer<typeof consoleField>

const consoleRecord = z.object({
  fields: z.array(consoleField),
  /** Sent back by a change, which is refused when it is outdated. */
  version: z.string(),
  mayEdit: z.boolean(),
})
export type ConsoleRecord = z.infer<typeof consoleRecord>

const oneRecord = {
  path: '/api/console/members/:id/record',
  access: 'officer',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  reply: consoleRecord,
} as const

export const getMemberRecord = endpoint({
  ...oneRecord,
  name: 'getMemberRecord',
  method: 'GET',
  permission: 'members.look',
  summary: 'Get the record of a member, without what the member keeps private',
  failures: ['NOT_FOUND'],
})

export const editMemberRecord = endpoint({
  ...oneRecord,
  name: 'editMemberRecord',
  method: 'PUT',
  permission: 'members.change',
  summary: 'Change values in the record of a member; who sees them stays',
  body: z.object({
    version: z.string().check(z.maxLength(64, messages.text.unreadable)),
    /** By key; null deletes a value, and what is left out stays. */
    values: recordInput,
  }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'OWN_ACCOUNT', 'ACCOUNT_CLOSED'],
})
