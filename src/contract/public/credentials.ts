import * as z from 'zod/mini'
import { isDay } from './days.ts'
import { endpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { isNpi } from './npi.ts'
import { messages } from './messages.ts'

/** Where a licence to practise comes from: two-letter codes of the states and the federal district. */
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

/** What a physician sends. */
export const givenCredentials = z.object({ npi: npiField, licenceState: licenceStateField })

/** What somebody in training sends: students their school and graduation, residents and fellows their programme and its end. */
export const givenTraining = z.object({
  stage: z.enum(['student', 'resident'], messages.credentials.stage),
  place: lineField(messages.credentials.place, 120),
  endsOn: z.string(messages.credentials.endsOn.required).check(
    z.trim(),
    z.refine((day) => isDay(day.trim()), messages.credentials.endsOn.required),
  ),
})

/** `licence` of a physician in practice; the others are in training until a day. */
export const CREDENTIAL_KINDS = ['licence', 'student', 'resident'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/** What a physician gives to be verified, and what officers said. The membership does not wait for it. */
export const credentials = z.object({
  kind: z.enum(CREDENTIAL_KINDS),
  /** Empty of somebody in training, as is the state. */
  npi: z.string(),
  licenceState: z.string(),
  /** School or programme, and the day it ends; null of a licence. */
  place: z.nullable(z.string()),
  endsOn: z.nullable(z.string()),
  status: z.enum(['waiting', 'approved', 'declined']),
  givenAt: z.string(),
  decidedAt: z.nullable(z.string()),
  /** Why they were declined; null otherwise. */
  reason: z.nullable(z.string()),
  /** What officers asked and nobody has answered yet. Giving the same again says that it is still right. */
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

export const giveCredentials = endpoint({
  name: 'giveCredentials',
  method: 'PUT',
  path: '/api/account/credentials',
  access: 'member',
  summary: 'Gives credentials to be verified; others than before are verified anew',
  body: givenCredentials,
  reply: z.object({ credentials }),
  failures: [],
})

export const giveTraining = endpoint({
  name: 'giveTraining',
  method: 'PUT',
  path: '/api/account/training',
  access: 'member',
  summary: 'The same for somebody in training, until the day it ends',
  body: givenTraining,
  reply: z.object({ credentials }),
  failures: [],
})
