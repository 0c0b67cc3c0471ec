import * as z from 'zod/mini'
import { PERMISSIONS, ROLES, SECOND_FACTORS } from '../access.ts'
import { isDay } from '../dates/days.ts'
import { endpoint } from '../endpoint.ts'
import { emailField, lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Console endpoints: second factor (for passkeys see `passkeys.ts`), tasks due today, officers and their roles. */

const codeField = z
  .string(messages.officer.code)
  .check(z.trim(), z.minLength(1, messages.officer.code), z.maxLength(32, messages.officer.codeWrong))

const proof = z.object({
  /** The caller has a passkey or a confirmed authenticator app. */
  isEnrolled: z.boolean(),
  /** The second factors set up; recovery codes work with each. */
  ways: z.array(z.enum(SECOND_FACTORS)),
  /** Until when this session may use the console without another second factor; null before the first. */
  provedUntil: z.nullable(z.string()),
})

export const getOfficer = endpoint({
  name: 'getOfficer',
  method: 'GET',
  path: '/api/console/me',
  access: 'member',
  summary: 'Get the caller’s current roles, permissions and second factor status',
  reply: z.object({
    name: z.string(),
    email: z.string(),
    roles: z.array(z.enum(ROLES)),
    permissions: z.array(z.enum(PERMISSIONS)),
    secondFactor: proof,
  }),
  failures: ['NOT_AN_OFFICER'],
})

/** The current password; only the server checks its value. */
export const ownPasswordField = z
  .string(messages.password.required)
  .check(z.minLength(1, messages.password.required), z.maxLength(1_024, messages.password.incorrect))

/** Requires the password: someone with a lost phone and an open session must not be able to add their own app. */
export const beginSecondFactor = endpoint({
  name: 'beginSecondFactor',
  method: 'POST',
  path: '/api/console/second-factor/begin',
  access: 'member',
  summary: 'Create a secret for an authenticator app; it takes effect with its first code',
  body: z.object({ password: ownPasswordField }),
  reply: z.object({
    /** For typing, in groups of four. */
    secret: z.string(),
    /** `otpauth://…` */
    address: z.string(),
    /** The same as an SVG image. */
    qrCode: z.string(),
  }),
  failures: ['NOT_AN_OFFICER', 'SECOND_FACTOR_EXISTS', 'SECOND_FACTOR_AGAIN', 'PASSWORD_TOO_SHORT'],
})

export const recoveryCodes = z.object({
  /** Empty if recovery codes already exist. */
  recoveryCodes: z.array(z.string()),
})

export const confirmSecondFactor = endpoint({
  name: 'confirmSecondFactor',
  method: 'POST',
  path: '/api/console/second-factor/confirm',
  access: 'member',
  summary: 'Confirm the app with its first code; returns recovery codes, shown only now',
  body: z.object({ code: codeField }),
  reply: recoveryCodes,
  failures: ['NOT_AN_OFFICER', 'SECOND_FACTOR_EXISTS', 'SECOND_FACTOR_AGAIN'],
})

export const secondFactorReply = z.object({ secondFactor: proof, recoveryCodesLeft: z.int() })

export const verifySecondFactor = endpoint({
  name: 'proveSecondFactor',
  method: 'POST',
  path: '/api/console/second-factor/prove',
  access: 'member',
  summary: 'Open the console for this session with a code of the app or a recovery code',
  body: z.object({ code: codeField }),
  reply: secondFactorReply,
  failures: ['NOT_AN_OFFICER', 'SECOND_FACTOR_REQUIRED'],
})

export const renewRecoveryCodes = endpoint({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/console/second-factor/recovery-codes',
  access: 'officer',
  permission: 'console.look',
  requiresFreshFactor: true,
  summary: 'Replace all recovery codes',
  body: z.object({}),
  reply: recoveryCodes,
  failures: [],
})

/** Kinds of tasks; the console's pages have the text and link of each. */
export const TASKS = [
  'setup',
  'approvals',
  'messages',
  'credentials',
  'credentials-again',
  'failed-payments',
  'renewals',
  'promises',
  'bounces',
  'scholarships',
  'terms',
  'roll-over',
  'unfinished',
  'held',
  'emails',
  'site',
  'release',
] as const
export type TaskKey = (typeof TASKS)[number]

/** How far the list of today looks ahead and back, in days. */
export const TODAY_WINDOW_DAYS = { renewalsAhead: 45, termsAhead: 60, scholarshipsAhead: 30, bouncesBack: 30 }

const task = z.object({
  key: z.enum(TASKS),
  count: z.int(),
  /** `late`: a deadline has passed or is only hours away. */
  urgency: z.enum(['late', 'soon', 'calm']),
  /** Details, one sentence each. */
  detail: z.nullable(z.string()),
})
/** Number of tasks of this kind. */
export type TodayTask = Omit<z.infer<typeof task>, 'key'>

export const getToday = endpoint({
  name: 'getToday',
  method: 'GET',
  path: '/api/console/today',
  access: 'officer',
  permission: 'console.look',
  summary: 'List today’s tasks that the caller may see',
  reply: z.object({
    tasks: z.array(task),
  }),
  failures: [],
})

const officerTerm = z.object({
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  startsOn: z.string(),
  /** The last day of the term, inclusive. */
  endsOn: z.string(),
  state: z.enum(['now', 'later', 'over']),
  hasSecondFactor: z.boolean(),
  /** Whether no one could manage officers without it, so that it cannot be ended. */
  isLastManager: z.boolean(),
})
export type OfficerTerm = z.infer<typeof officerTerm>

const termList = z.object({
  terms: z.array(officerTerm),
  /** Whether the caller may assign and end roles. */
  mayChange: z.boolean(),
  /** The first and last day of the association's current year, `YYYY-MM-DD`. */
  year: z.object({ startsOn: z.string(), endsOn: z.string() }),
})
export type OfficerTerms = z.infer<typeof termList>

/** A scheduled publication, newsletter or roll-over that was held back. */
export const heldItem = z.object({
  title: z.string(),
  /** Its page in the console. */
  path: z.string(),
  /** Its scheduled time. */
  at: z.string(),
})
export type HeldItem = z.infer<typeof heldItem>

export const listOfficers = endpoint({
  name: 'listOfficers',
  method: 'GET',
  path: '/api/console/officers',
  access: 'officer',
  permission: 'console.look',
  summary: 'List current, former and future officers',
  reply: termList,
  failures: [],
})

const dayField = (sentence: string) =>
  z.string(sentence).check(
    z.trim(),
    z.refine((text) => isDay(text.trim()), sentence),
  )

export const roleBody = z
  .object({
    email: emailField,
    role: z.enum(ROLES, 'Please choose a role'),
    startsOn: dayField('Please enter the first day'),
    endsOn: dayField('Please enter the last day'),
  })
  .check(
    z.refine(({ startsOn, endsOn }) => startsOn <= endsOn, {
      path: ['endsOn'],
      error: 'The last day is before the first',
    }),
  )

export const assignRole = endpoint({
  name: 'giveRole',
  method: 'POST',
  path: '/api/console/officers',
  access: 'officer',
  permission: 'officers.change',
  requiresFreshFactor: true,
  summary: 'Assign a role to a member for a term',
  body: roleBody,
  reply: termList,
  status: 201,
  failures: ['OWN_ACCOUNT'],
})

export const endRole = endpoint({
  name: 'endRole',
  method: 'DELETE',
  path: '/api/console/officers/:id',
  access: 'officer',
  permission: 'officers.change',
  requiresFreshFactor: true,
  summary: 'End a term immediately',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  /** Also holds back what this officer scheduled until another officer decides. */
  reply: z.extend(termList, { held: z.array(heldItem) }),
  failures: ['NOT_FOUND', 'LAST_PRESIDENT'],
})
