import * as z from 'zod/mini'
import { CREDENTIAL_KINDS } from './credentials.ts'
import { isDay } from './days.ts'
import { endpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** The credential desk: what physicians, residents and students gave to be verified, and what officers decide on it. Instants are ISO 8601. */

/** What an approval of training rests on, as it is called on a page. */
export const EVIDENCE_KINDS = {
  letter: 'A letter from the school or program',
  address: 'Email from an address at the school or program',
  list: 'A public list from the school or program',
  other: 'Something else',
} as const
const EVIDENCE_NAMES = Object.keys(EVIDENCE_KINDS) as (keyof typeof EVIDENCE_KINDS)[]

const onDesk = {
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  email: z.string(),
  kind: z.enum(CREDENTIAL_KINDS),
  /** Empty of somebody in training, as is the state. */
  npi: z.string(),
  /** Whether its check digit fits: one that does not was typed wrong. */
  npiFits: z.boolean(),
  licenceState: z.string(),
  /** School or programme, and the day it ends; null of a licence. */
  place: z.nullable(z.string()),
  endsOn: z.nullable(z.string()),
  givenAt: z.string(),
  /** What the member was asked last; `answeredAt`: said to be still right. */
  asked: z.nullable(z.object({ question: z.string(), at: z.string(), answeredAt: z.nullable(z.string()) })),
}

export const waitingCredential = z.object({
  ...onDesk,
  /** Declined before, with why; null when this is the first time. */
  declinedBefore: z.nullable(z.string()),
})
export type WaitingCredential = z.infer<typeof waitingCredential>

export const againCredential = z.object({
  ...onDesk,
  /** Approved, or found still right. */
  lookedAt: z.string(),
  /** What was written then. */
  evidence: z.nullable(z.string()),
  /** `training`: the day it ends is over. `time`: the last look was too long ago. */
  why: z.enum(['training', 'time']),
})
export type AgainCredential = z.infer<typeof againCredential>

const deskLists = z.object({
  waiting: z.array(waitingCredential),
  /** The first of those to look at again, longest due first; whom a question is out to comes last. */
  again: z.array(againCredential),
  /** Of all that are due and wait for no answer. */
  againTotal: z.int(),
})
export type DeskLists = z.infer<typeof deskLists>

export const listWaitingCredentials = endpoint({
  name: 'listWaitingCredentials',
  method: 'GET',
  path: '/api/console/credentials',
  access: 'officer',
  permission: 'credentials.decide',
  summary: 'Credentials that wait for a decision, longest first, and those to look at again',
  reply: deskLists,
  failures: [],
})

const ofOne = {
  method: 'POST',
  access: 'officer',
  permission: 'credentials.decide',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  reply: deskLists,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'OWN_ACCOUNT'],
} as const

export const decideCredential = endpoint({
  ...ofOne,
  name: 'decideCredential',
  path: '/api/console/credentials/:id',
  summary: 'Approves or declines credentials; a letter tells the member',
  body: z.object({
    decision: z.enum(['approved', 'declined'], 'Please choose'),
    /** What was looked at; of a decline the reason, as the member will read it. */
    evidence: lineField('Please say what you looked at, or the reason', 500),
    /** Wanted when training is approved. */
    evidenceKind: z.optional(z.enum(EVIDENCE_NAMES, 'Please choose the kind of evidence')),
  }),
})

export const askAboutCredential = endpoint({
  ...ofOne,
  name: 'askAboutCredential',
  path: '/api/console/credentials/:id/ask',
  summary: 'Asks the member by letter; what was approved stays approved meanwhile',
  body: z.object({ question: lineField('Please write your question, as the member will read it', 500) }),
})

/** As it was read: two officers do not both decide. */
const lookedAt = z.string()

export const confirmCredential = endpoint({
  ...ofOne,
  name: 'confirmCredential',
  path: '/api/console/credentials/:id/confirm',
  summary: 'Says that what was approved is still right, so it comes again in a year; nobody is written to',
  body: z.object({
    lookedAt,
    /** Until when the training goes on; wanted when the day that was given is over. */
    endsOn: z.optional(
      z.string('Please enter a day').check(
        z.trim(),
        z.refine((day) => isDay(day.trim()), 'Please enter a day'),
      ),
    ),
  }),
  failures: [...ofOne.failures, 'NPI_UNLIKELY'],
})

export const withdrawCredential = endpoint({
  ...ofOne,
  name: 'withdrawCredential',
  path: '/api/console/credentials/:id/withdraw',
  summary: 'Takes an approval back; a letter tells the member why',
  body: z.object({ lookedAt, reason: lineField('Please say why, as the member will read it', 500) }),
})
