import * as z from 'zod/mini'
import { PERMISSIONS, ROLES, WAYS } from './access.ts'
import { isDay } from './days.ts'
import { endpoint } from './endpoint.ts'
import { emailField, lineField } from './fields.ts'
import { messages } from './messages.ts'

/** Calls of the officers' console: the way in (for passkeys: `passkeys.ts`), what needs doing today, who the officers are, and the history of what was done. */

const codeField = z
  .string(messages.officer.code)
  .check(z.trim(), z.minLength(1, messages.officer.code), z.maxLength(32, messages.officer.codeWrong))

const proof = z.object({
  /** The owner has a passkey or a confirmed authenticator app. */
  isEnrolled: z.boolean(),
  /** Which of them; recovery codes serve beside each. */
  ways: z.array(z.enum(WAYS)),
  /** Until when this session may use the console without another proof; null before the first. */
  provedUntil: z.nullable(z.string()),
})

export const getOfficer = endpoint({
  name: 'getOfficer',
  method: 'GET',
  path: '/api/console/me',
  access: 'member',
  summary: 'Which roles the caller holds today, what they allow, and whether the second factor was given',
  reply: z.object({
    name: z.string(),
    email: z.string(),
    roles: z.array(z.enum(ROLES)),
    permissions: z.array(z.enum(PERMISSIONS)),
    secondFactor: proof,
  }),
  failures: ['NOT_AN_OFFICER'],
})

/** A current password, looked at by the server alone. */
export const ownPasswordField = z
  .string(messages.password.required)
  .check(z.minLength(1, messages.password.required), z.maxLength(1_024, messages.password.incorrect))

/** The password is asked for: a lost phone with an open session must not be able to bring its own app. */
export const beginSecondFactor = endpoint({
  name: 'beginSecondFactor',
  method: 'POST',
  path: '/api/console/second-factor/begin',
  access: 'member',
  summary: 'A new secret for an authenticator app; it counts once its first code was confirmed',
  body: z.object({ password: ownPasswordField }),
  reply: z.object({
    /** For typing in by hand, in groups of four. */
    secret: z.string(),
    /** `otpauth://…` */
    address: z.string(),
    /** The same as a picture: SVG. */
    qrCode: z.string(),
  }),
  failures: ['NOT_AN_OFFICER', 'SECOND_FACTOR_EXISTS', 'SECOND_FACTOR_AGAIN', 'PASSWORD_TOO_SHORT'],
})

export const recoveryCodes = z.object({
  /** None where there are some already. */
  recoveryCodes: z.array(z.string()),
})

export const confirmSecondFactor = endpoint({
  name: 'confirmSecondFactor',
  method: 'POST',
  path: '/api/console/second-factor/confirm',
  access: 'member',
  summary: 'The first code of the app; answers recovery codes, shown only now',
  body: z.object({ code: codeField }),
  reply: recoveryCodes,
  failures: ['NOT_AN_OFFICER', 'SECOND_FACTOR_EXISTS', 'SECOND_FACTOR_AGAIN'],
})

export const proved = z.object({ secondFactor: proof, recoveryCodesLeft: z.int() })

export const proveSecondFactor = endpoint({
  name: 'proveSecondFactor',
  method: 'POST',
  path: '/api/console/second-factor/prove',
  access: 'member',
  summary: 'A code of the app, or one of the recovery codes, opens the console to this session',
  body: z.object({ code: codeField }),
  reply: proved,
  failures: ['NOT_AN_OFFICER', 'SECOND_FACTOR_REQUIRED'],
})

export const renewRecoveryCodes = endpoint({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/console/second-factor/recovery-codes',
  access: 'officer',
  permission: 'console.look',
  asksAgain: true,
  summary: 'New recovery codes in place of all former ones',
  body: z.object({}),
  reply: recoveryCodes,
  failures: [],
})

/** What waits, as counts that lead to a list. `path` is within the console. */
/** What may need somebody; the console's pages know the words and the way of each. */
export const TASKS = [
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
  'held',
  'letters',
  'site',
] as const
export type TaskKey = (typeof TASKS)[number]

/** How far today looks ahead and back, in days. */
export const TODAY_LOOKS = { renewalsAhead: 45, termsAhead: 60, scholarshipsAhead: 30, bouncesBack: 30 }

const task = z.object({
  key: z.enum(TASKS),
  count: z.int(),
  /** `late`: a promise was broken or will be within hours. */
  urgency: z.enum(['late', 'soon', 'calm']),
  /** More about it in sentences. */
  detail: z.nullable(z.string()),
})
/** How much of one thing there is to do. */
export type TaskOfToday = Omit<z.infer<typeof task>, 'key'>

export const getToday = endpoint({
  name: 'getToday',
  method: 'GET',
  path: '/api/console/today',
  access: 'officer',
  permission: 'console.look',
  summary: 'What needs somebody today, as far as the caller may see it',
  reply: z.object({
    tasks: z.array(task),
    figures: z.array(z.object({ label: z.string(), value: z.string() })),
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
  /** The last day it holds. */
  endsOn: z.string(),
  state: z.enum(['now', 'later', 'over']),
  hasSecondFactor: z.boolean(),
})
export type OfficerTerm = z.infer<typeof officerTerm>

const termList = z.object({
  terms: z.array(officerTerm),
  /** Whether the caller may give and end roles. */
  mayChange: z.boolean(),
})
export type OfficerTerms = z.infer<typeof termList>

/** Something that was scheduled and does not happen: a publication, a newsletter or the roll-over. */
export const heldItem = z.object({
  title: z.string(),
  /** Its page in the console. */
  path: z.string(),
  /** When it was to happen. */
  at: z.string(),
})
export type HeldItem = z.infer<typeof heldItem>

export const listOfficers = endpoint({
  name: 'listOfficers',
  method: 'GET',
  path: '/api/console/officers',
  access: 'officer',
  permission: 'console.look',
  summary: 'Who holds, held or will hold which role',
  reply: termList,
  failures: [],
})

const dayField = (sentence: string) =>
  z.string(sentence).check(
    z.trim(),
    z.refine((text) => isDay(text.trim()), sentence),
  )

export const giveRole = endpoint({
  name: 'giveRole',
  method: 'POST',
  path: '/api/console/officers',
  access: 'officer',
  permission: 'officers.change',
  asksAgain: true,
  summary: 'Gives a member a role for a term',
  body: z
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
    ),
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
  asksAgain: true,
  summary: 'Ends a term at once',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  /** With what this person had scheduled: nothing of it happens until somebody else decides. */
  reply: z.extend(termList, { held: z.array(heldItem) }),
  failures: ['NOT_FOUND', 'LAST_PRESIDENT'],
})
