import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

const eventId = z.object({ id: lineField(messages.text.unreadable, 200) })

/** Idempotent. Reserves and releases no seats: the event is no longer listed as unanswered. */
export const declineEvent = endpoint({
  name: 'declineEvent',
  method: 'PUT',
  path: '/api/account/declined-events/:id',
  access: 'member',
  summary: 'Say that the caller cannot come to an event',
  params: eventId,
  status: 204,
  failures: [],
})

/** Idempotent. */
export const undoDecline = endpoint({
  name: 'undoDecline',
  method: 'DELETE',
  path: '/api/account/declined-events/:id',
  access: 'member',
  summary: 'Take back that the caller cannot come to an event',
  params: eventId,
  status: 204,
  failures: [],
})
