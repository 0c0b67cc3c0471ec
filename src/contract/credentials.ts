import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
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

/** What a physician gives to be verified, and what officers said. The membership does not wait for it. */
export const credentials = z.object({
  npi: z.string(),
  licenceState: z.string(),
  status: z.enum(['waiting', 'approved', 'declined']),
  givenAt: z.string(),
  decidedAt: z.nullable(z.string()),
  /** Why they were declined; null otherwise. */
  reason: z.nullable(z.string()),
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
