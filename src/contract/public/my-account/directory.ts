import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField, textField } from '#contract/fields.ts'
import { limits } from '#contract/limits.ts'
import { recordField } from '#contract/member-record/record-schema.ts'
import { messages } from '#contract/messages.ts'
import { visibleValue } from './member-record.ts'

/** The directory of members: for members with an active membership, about those who chose to be in it. */

const entry = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** What the person shows to members, in the order of the fields. */
  values: z.array(visibleValue),
})
export type DirectoryEntry = z.infer<typeof entry>

/** Fields with choices by which the directory is filtered. */
const directoryFilter = z.pick(recordField, { key: true, label: true, choices: true })
export type DirectoryFilter = z.infer<typeof directoryFilter>

const pageNumber = z.pipe(
  z._default(z.string(), '1').check(z.regex(/^[1-9]\d{0,2}$/, messages.text.unreadable)),
  z.transform(Number),
)

export const searchDirectory = endpoint({
  name: 'searchDirectory',
  method: 'GET',
  path: '/api/directory',
  access: 'member',
  inView: 'members.look',
  summary: 'Search the directory of members by words, and by values of fields as `field.<key>`',
  query: z.catchall(
    z.object({
      q: z.optional(z.string().check(z.maxLength(limits.directory.queryMax, messages.text.unreadable))),
      page: pageNumber,
    }),
    z.string().check(z.maxLength(limits.directory.filterMax, messages.text.unreadable)),
  ),
  reply: z.object({
    people: z.array(entry),
    page: z.int(),
    hasMore: z.boolean(),
    filters: z.array(directoryFilter),
  }),
  failures: ['ACTIVE_MEMBERSHIP_REQUIRED'],
})

const byId = z.object({ id: z.string().check(z.maxLength(64, messages.text.unreadable)) })

export const getDirectoryEntry = endpoint({
  name: 'getDirectoryEntry',
  method: 'GET',
  path: '/api/directory/:id',
  access: 'member',
  inView: 'members.look',
  summary: 'The entry of a member in the directory',
  params: byId,
  reply: z.extend(entry, {
    isOwn: z.boolean(),
    takesMessages: z.boolean(),
  }),
  failures: ['ACTIVE_MEMBERSHIP_REQUIRED', 'NOT_FOUND'],
})

export const directoryMessage = z.object({
  subject: lineField(messages.contact.subject, limits.directory.subjectMax),
  text: textField(messages.contact.message, limits.directory.message),
  /** Whether the recipient gets the sender's address, to reply to. */
  showsAddress: z._default(z.boolean(messages.text.unreadable), true),
})

export const sendDirectoryMessage = endpoint({
  name: 'sendDirectoryMessage',
  method: 'POST',
  path: '/api/directory/:id/message',
  access: 'member',
  summary: 'Send a message to a member, whose address stays private',
  params: byId,
  body: directoryMessage,
  status: 204,
  failures: ['ACTIVE_MEMBERSHIP_REQUIRED', 'NOT_FOUND', 'MESSAGES_OFF'],
})

export const reportDirectoryMessage = endpoint({
  name: 'reportDirectoryMessage',
  method: 'POST',
  path: '/api/directory-messages/:id/report',
  access: 'member',
  summary: 'Report a message of another member to the officers',
  params: byId,
  status: 204,
  failures: ['NOT_FOUND'],
})

/** The public page: who chose to be on it, with values for everyone. */
export interface PublicDirectory {
  title: string
  lead: string
  description: string
  caution: string
  /** A type of schema.org. */
  schemaType: string
  people: DirectoryEntry[]
  page: number
  hasMore: boolean
  filters: DirectoryFilter[]
  /** Of the day, in the structured data: by it officers recognize a copy (decision record 70). */
  mark: string
}
