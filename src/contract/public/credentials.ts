import * as z from 'zod/mini'
import { isDay } from '../dates/days.ts'
import { endpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { isNpi } from '../npi.ts'
import { messages } from '../messages.ts'

/** Where a license was issued: postal codes of the states and the federal district. */
const STATES = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC ' +
    'SD TN TX UT VT VA WA WV WI WY'
  ).split(' '),
)

const npiField = z.string(messages.credentials.npi.required).check(
  z.trim(),
  z.minLength(1, messages.credentials.npi.required),
  z.refine((value) => isNpi(value), messages.credentials.npi.invalid),
)

const licenceStateField = z.string(messages.credentials.licenceState.required).check(
  z.trim(),
  z.toUpperCase(),
  z.minLength(1, messages.credentials.licenceState.required),
  z.refine((value) => STATES.has(value.trim().toUpperCase()), messages.credentials.licenceState.invalid),
)

/** Details of a physician. */
export const credentialsBody = z.object({ npi: npiField, licenceState: licenceStateField })

/** Details of someone in training: school and graduation for students, program and end date for residents and fellows. */
export const trainingBody = z.object({
  stage: z.enum(['student', 'resident'], messages.credentials.stage),
  place: lineField(messages.credentials.place, 120),
  endsOn: z.string(messages.credentials.endsOn.required).check(
    z.trim(),
    z.refine((day) => isDay(day.trim()), messages.credentials.endsOn.required),
  ),
})

/** `licence` is a practicing physician; the other kinds are in training until a given day. */
export const CREDENTIAL_KINDS = ['licence', 'student', 'resident'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/** Submitted credentials and the officers' decision. The membership does not depend on it. */
export const credentials = z.object({
  kind: z.enum(CREDENTIAL_KINDS),
  /** Empty for someone in training, as is `state`. */
  npi: z.string(),
  licenceState: z.string(),
  /** School or program, and the day the training ends; null for a license. */
  place: z.nullable(z.string()),
  endsOn: z.nullable(z.string()),
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
  failures: [],
})

export const submitTraining = endpoint({
  name: 'giveTraining',
  method: 'PUT',
  path: '/api/account/training',
  access: 'member',
  summary: 'Submit credentials of someone in training, valid until the training ends',
  body: trainingBody,
  reply: z.object({ credentials }),
  failures: [],
})
