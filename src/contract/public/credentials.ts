import * as z from 'zod/mini'
import { ANSWER_MAX, isUsState } from '../credentials/check-answers.ts'
import { credentialKind, otherAnswers } from '../credentials/credential-kinds.ts'
import { isDay } from '../dates/days.ts'
import { endpoint } from '../endpoint.ts'
import { blankLineField, lineField } from '../fields.ts'
import { isNpi } from '../credentials/npi.ts'
import { messages } from '../messages.ts'

const npiField = z.string(messages.credentials.npi.required).check(
  z.trim(),
  z.minLength(1, messages.credentials.npi.required),
  z.refine((value) => isNpi(value), messages.credentials.npi.invalid),
)

const licenceStateField = z
  .string(messages.credentials.licenceState.required)
  .check(
    z.trim(),
    z.toUpperCase(),
    z.minLength(1, messages.credentials.licenceState.required),
    z.refine(isUsState, messages.credentials.licenceState.invalid),
  )

/** The kinds that the first release knew, and the bodies of their calls. */
const FIRST_KINDS = ['licence', 'student', 'resident'] as const

/** A license with an NPI. */
const credentialsBody = z.object({ npi: npiField, licenceState: licenceStateField })

/** Details of someone in training: school and graduation for students, program and end date for residents and fellows. */
const trainingBody = z.object({
  stage: z.enum(['student', 'resident'], messages.credentials.stage),
  place: lineField(messages.credentials.place, 120),
  endsOn: z.string(messages.credentials.endsOn.required).check(
    z.trim(),
    z.refine((day) => isDay(day.trim()), messages.credentials.endsOn.required),
  ),
})

/** The call that takes credentials of a kind: the first ones have calls of their own. */
export function firstKind(key: string): (typeof FIRST_KINDS)[number] | null {
  return FIRST_KINDS.find((kind) => kind === key) ?? null
}

/** What was submitted, of any kind; see `SubmittedAnswers`. */
export const submittedAnswers = {
  kind: z.string(),
  npi: z.string(),
  licenceState: z.string(),
  place: z.nullable(z.string()),
  endsOn: z.nullable(z.string()),
  /** Left out if there are none. */
  answers: z.optional(otherAnswers),
}

/** Submitted credentials and the officers' decision. The membership does not depend on it. */
export const credentials = z.object({
  ...submittedAnswers,
  status: z.enum(['waiting', 'approved', 'declined']),
  givenAt: z.string(),
  decidedAt: z.nullable(z.string()),
  /** Why they were declined; otherwise null. */
  reason: z.nullable(z.string()),
  /** An unanswered question from officers. Submitting the same details again confirms them. */
  question: z.nullable(z.string()),
})
export type Credentials = z.infer<typeof credentials>

export const getCredentials = endpoint({
  name: 'getCredentials',
  method: 'GET',
  path: '/api/account/credentials',
  access: 'member',
  inView: 'members.look',
  summary: "The caller's professional credentials and whether officers have approved them",
  reply: z.object({ credentials: z.nullable(credentials) }),
  failures: [],
})

export const submitCredentials = endpoint({
  name: 'giveCredentials',
  method: 'PUT',
  path: '/api/account/credentials',
  access: 'member',
  summary: 'Submit credentials for verification; changed ones are verified again',
  body: credentialsBody,
  reply: z.object({ credentials }),
  failures: ['NOT_FOUND'],
})

export const listCredentialKinds = endpoint({
  name: 'listCredentialKinds',
  method: 'GET',
  path: '/api/account/credential-kinds',
  access: 'member',
  inView: 'members.look',
  summary: 'The kinds of credentials that the association verifies, with those it no longer asks for',
  reply: z.object({ kinds: z.array(credentialKind) }),
  failures: [],
})

/** The answers by the keys of the fields of their kind, which decides what is wrong with them. */
const answersBody = z.object({
  values: z.record(lineField(messages.text.unreadable, 100), blankLineField(ANSWER_MAX), messages.text.unreadable),
})

export const submitAnswers = endpoint({
  name: 'submitAnswers',
  method: 'PUT',
  path: '/api/account/credentials/:kind',
  access: 'member',
  params: z.object({ kind: lineField(messages.text.unreadable, 100) }),
  summary: 'Submit credentials of any kind for verification; changed ones are verified again',
  body: answersBody,
  reply: z.object({ credentials }),
  failures: ['NOT_FOUND'],
})

export const submitTraining = endpoint({
  name: 'giveTraining',
  method: 'PUT',
  path: '/api/account/training',
  access: 'member',
  summary: 'Submit credentials of someone in training, valid until the training ends',
  body: trainingBody,
  reply: z.object({ credentials }),
  failures: ['NOT_FOUND'],
})
