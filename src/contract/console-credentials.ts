import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** The credential desk (issue 8, 3): what physicians gave to be verified, and what officers decide on it. */

export const waitingCredential = z.object({
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  email: z.string(),
  npi: z.string(),
  /** Whether its check digit fits: one that does not was typed wrong. */
  npiFits: z.boolean(),
  licenceState: z.string(),
  givenAt: z.string(),
  /** Declined before, with why; null when this is the first time. */
  declinedBefore: z.nullable(z.string()),
})
export type WaitingCredential = z.infer<typeof waitingCredential>

const waitingList = z.object({ waiting: z.array(waitingCredential) })

export const listWaitingCredentials = endpoint({
  name: 'listWaitingCredentials',
  method: 'GET',
  path: '/api/console/credentials',
  access: 'officer',
  permission: 'credentials.decide',
  summary: 'Credentials that wait for a decision, longest first',
  reply: waitingList,
  failures: [],
})

export const decideCredential = endpoint({
  name: 'decideCredential',
  method: 'POST',
  path: '/api/console/credentials/:id',
  access: 'officer',
  permission: 'credentials.decide',
  summary: 'Approves or declines credentials; a letter tells the member',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  body: z.object({
    decision: z.enum(['approved', 'declined'], 'Please choose'),
    /** What was looked at; of a decline the reason, as the member will read it. */
    evidence: lineField('Please say what you looked at, or the reason', 500),
  }),
  reply: waitingList,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})
