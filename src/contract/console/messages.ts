import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { lineField, textField } from './fields.ts'
import { messages } from './messages.ts'

/** Calls of the officers' inbox: what visitors wrote, who answers it, and the answers. */

export const MESSAGE_STATES = ['open', 'answered', 'spam'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

export const inboxLimits = { answer: { min: 2, max: 10_000 }, templateName: 80, pageSize: 50 } as const

/** Not among the sentences of public pages, which every visitor loads. */
export const inboxSentences = {
  answer: {
    required: 'Please write an answer',
    short: 'Please write an answer',
    long: 'An answer cannot exceed 10,000 characters',
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
  /** Until when an answer was promised. */
  dueAt: z.string(),
  /** The same in whole hours from now; negative once it is late. */
  hoursLeft: z.int(),
  state: z.enum(MESSAGE_STATES),
  answeredAt: z.nullable(z.string()),
  assignee: z.nullable(person),
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
      /** null: it waits for a mail server. */
      mailedAt: z.nullable(z.string()),
    }),
  ),
  /** Who may answer, for assigning. */
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
  summary: 'What visitors wrote: open ones by when an answer is due, the others newest first',
  query: z.object({
    state: z._default(z.enum(MESSAGE_STATES, messages.text.unreadable), 'open'),
    q: z.optional(lineField(messages.text.unreadable, 100)),
    page: z._default(
      z.coerce.number(messages.text.number).check(z.int(messages.text.number), z.gte(1), z.lte(10_000)),
      1,
    ),
  }),
  reply: z.object({
    messages: z.array(messageEntry),
    /** Of all there are, whatever is searched for. */
    counts: z.object({ open: z.int(), answered: z.int(), spam: z.int() }),
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
  summary: 'One message with its answers',
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
  summary: 'Says which officer answers a message',
  params: idParams,
  body: z.object({ accountId: z.nullable(idField), version: versionField }),
  reply: messageDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

/** It goes out once a mail server takes it; answering the letter writes to the association. */
export const answerMessage = endpoint({
  name: 'answerMessage',
  method: 'POST',
  path: '/api/console/messages/:id/answers',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'Answers a message by letter',
  params: idParams,
  body: z.object({ text: textField(inboxSentences.answer, inboxLimits.answer), version: versionField }),
  reply: messageDetail,
  status: 201,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'MESSAGE_IS_SPAM'],
})

export const moveMessage = endpoint({
  name: 'moveMessage',
  method: 'PUT',
  path: '/api/console/messages/:id/state',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'Takes a message off the list without a letter, calls it spam, or puts it back',
  params: idParams,
  body: z.object({ state: z.enum(MESSAGE_STATES, messages.text.unreadable), version: versionField }),
  reply: messageDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

const template = z.object({ id: z.string(), name: z.string(), text: z.string(), version: z.int() })
export type MessageTemplate = z.infer<typeof template>
const templateList = z.object({ templates: z.array(template) })

const templateFields = {
  name: lineField(inboxSentences.templateName, inboxLimits.templateName),
  text: textField(inboxSentences.answer, inboxLimits.answer),
}

export const listTemplates = endpoint({
  name: 'listTemplates',
  method: 'GET',
  path: '/api/console/message-templates',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'Words for answers that are written often',
  reply: templateList,
  failures: [],
})

export const addTemplate = endpoint({
  name: 'addTemplate',
  method: 'POST',
  path: '/api/console/message-templates',
  access: 'officer',
  permission: 'messages.answer',
  summary: 'Adds words for answers',
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
  summary: 'Changes words for answers',
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
  summary: 'Removes words for answers',
  params: idParams,
  reply: templateList,
  failures: ['NOT_FOUND'],
})
