import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { lineField, textField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Endpoints of the officers' inbox: visitors' messages, their assignees, and the replies. */

export const MESSAGE_STATES = ['open', 'answered', 'spam'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

export const inboxLimits = {
  answer: { min: 2, max: 10_000 },
  note: { min: 1, max: 2_000 },
  templateName: 80,
  pageSize: 50,
} as const

/** Kept apart from the messages of public pages, which every visitor loads. */
export const inboxMessages = {
  answer: {
    required: 'Please write an answer',
    short: 'Please write an answer',
    long: 'An answer cannot exceed 10,000 characters',
  },
  note: {
    required: 'Please write a note',
    short: 'Please write a note',
    long: 'A note cannot exceed 2,000 characters',
  },
  templateName: 'Please give it a name',
  officer: 'This person may not answer messages.',
} as const

const idField = lineField(messages.text.unreadable, 64)
const idParams = z.object({ id: idField })
const versionField = z.int(messages.text.number)
const person = z.object({ accountId: z.string(), name: z.string() })

const messageEntry = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  receivedAt: z.string(),
  /** When a reply is due. */
  dueAt: z.string(),
  /** Hours until the reply is due; negative once it is late. */
  hoursLeft: z.int(),
  state: z.enum(MESSAGE_STATES),
  answeredAt: z.nullable(z.string()),
  assignee: z.nullable(person),
  /** The beginning of its text. */
  excerpt: z.string(),
})
export type MessageEntry = z.infer<typeof messageEntry>

const messageDetail = z.extend(messageEntry, {
  message: z.string(),
  answers: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      by: z.string(),
      sentAt: z.string(),
      /** null while it waits to be sent. */
      mailedAt: z.nullable(z.string()),
    }),
  ),
  /** For officers only. */
  notes: z.array(z.object({ id: z.string(), text: z.string(), by: z.string(), at: z.string() })),
  /** The member with this address; null if there is none. */
  memberId: z.nullable(z.string()),
  /** Officers who may reply, for assigning. */
  officers: z.array(person),
  version: z.int(),
})
export type MessageDetail = z.infer<typeof messageDetail>

export const listMessages = endpoint({
  name: 'listMessages',
  method: 'GET',
  path: '/api/console/messages',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'List visitors’ messages: open ones by due time, others newest first',
  query: z.object({
    state: z._default(z.enum(MESSAGE_STATES, messages.text.unreadable), 'open'),
    /** Only those of the caller, or of no one. */
    assignee: z.optional(z.enum(['me', 'none'], messages.text.unreadable)),
    q: z.optional(lineField(messages.text.unreadable, 100)),
    page: z._default(
      z.coerce.number(messages.text.number).check(z.int(messages.text.number), z.gte(1), z.lte(10_000)),
      1,
    ),
  }),
  reply: z.object({
    messages: z.array(messageEntry),
    /** Counts of all messages, regardless of the search. */
    counts: z.object({ open: z.int(), mine: z.int(), unassigned: z.int(), answered: z.int(), spam: z.int() }),
    hasMore: z.boolean(),
  }),
  failures: [],
})

export const getMessage = endpoint({
  name: 'getMessage',
  method: 'GET',
  path: '/api/console/messages/:id',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'Get a message with its replies',
  params: idParams,
  reply: messageDetail,
  failures: ['NOT_FOUND'],
})

export const assignMessage = endpoint({
  name: 'assignMessage',
  method: 'PUT',
  path: '/api/console/messages/:id/assignee',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'Assign a message to an officer',
  params: idParams,
  body: z.object({ accountId: z.nullable(idField), version: versionField }),
  reply: messageDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

/** Sent once a mail server accepts it. Replies to the email go to the association. */
export const replyToMessage = endpoint({
  name: 'answerMessage',
  method: 'POST',
  path: '/api/console/messages/:id/answers',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'Reply to a message by email',
  params: idParams,
  body: z.object({ text: textField(inboxMessages.answer, inboxLimits.answer), version: versionField }),
  reply: messageDetail,
  status: 201,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'MESSAGE_IS_SPAM'],
})

export const setMessageState = endpoint({
  name: 'moveMessage',
  method: 'PUT',
  path: '/api/console/messages/:id/state',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'Close a message without a reply, mark it as spam, or reopen it',
  params: idParams,
  body: z.object({ state: z.enum(MESSAGE_STATES, messages.text.unreadable), version: versionField }),
  reply: messageDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const addMessageNote = endpoint({
  name: 'addMessageNote',
  method: 'POST',
  path: '/api/console/messages/:id/notes',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'Add a note for the other officers to a message; the sender never sees it',
  params: idParams,
  body: z.object({ text: textField(inboxMessages.note, inboxLimits.note) }),
  reply: messageDetail,
  status: 201,
  failures: ['NOT_FOUND'],
})

const template = z.object({ id: z.string(), name: z.string(), text: z.string(), version: z.int() })
export type MessageTemplate = z.infer<typeof template>
const templateList = z.object({ templates: z.array(template) })

const templateFields = {
  name: lineField(inboxMessages.templateName, inboxLimits.templateName),
  text: textField(inboxMessages.answer, inboxLimits.answer),
}

export const listTemplates = endpoint({
  name: 'listTemplates',
  method: 'GET',
  path: '/api/console/message-templates',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'List reply templates',
  reply: templateList,
  failures: [],
})

export const addTemplate = endpoint({
  name: 'addTemplate',
  method: 'POST',
  path: '/api/console/message-templates',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'Add a reply template',
  body: z.object(templateFields),
  reply: templateList,
  status: 201,
  failures: [],
})

export const changeTemplate = endpoint({
  name: 'changeTemplate',
  method: 'PUT',
  path: '/api/console/message-templates/:id',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'Change a reply template',
  params: idParams,
  body: z.object({ ...templateFields, version: versionField }),
  reply: templateList,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const removeTemplate = endpoint({
  name: 'removeTemplate',
  method: 'DELETE',
  path: '/api/console/message-templates/:id',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'Delete a reply template',
  params: idParams,
  reply: templateList,
  failures: ['NOT_FOUND'],
})
