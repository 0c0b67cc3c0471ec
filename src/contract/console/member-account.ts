import * as z from 'zod/mini'
import { amountField, consoleMember, dayField, reasonField } from './console-member.ts'
import { endpoint } from './endpoint.ts'
import { emailField, firstNameField, lastNameField, lineField } from './fields.ts'
import { messages } from './messages.ts'

/** What officers do to the account of a member itself: another email address, the end of it, and a new member added by hand (decision record 28). */

const params = z.object({ id: lineField(messages.text.unreadable, 64) })
const forOfficers = { access: 'officer', permission: 'members.change' } as const

export const askMemberEmail = endpoint({
  ...forOfficers,
  name: 'askMemberEmail',
  method: 'POST',
  path: '/api/console/members/:id/email',
  asksAgain: true,
  summary: 'Asks for another email address of a member; it counts once it was confirmed from there',
  params,
  body: z.object({
    email: emailField,
    reason: reasonField,
    /** The address that stood there. */
    seen: z.string(),
  }),
  reply: consoleMember,
  failures: [
    'NOT_FOUND',
    'CHANGED_MEANWHILE',
    'OWN_ACCOUNT',
    'ACCOUNT_CLOSED',
    'IS_MERGED',
    'APPROVAL_WAITING',
    'NO_SECOND_OFFICER',
  ],
})

export const withdrawMemberEmail = endpoint({
  ...forOfficers,
  name: 'withdrawMemberEmail',
  method: 'POST',
  path: '/api/console/members/:id/email/withdraw',
  summary: 'Takes back a change of address that was not confirmed yet',
  params,
  body: z.object({}),
  reply: consoleMember,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const ENDINGS = ['request', 'deceased'] as const
export type Ending = (typeof ENDINGS)[number]

export const ENDING_NAMES: Record<Ending, string> = { request: 'On request', deceased: 'Deceased' }

const endingField = z.enum(ENDINGS, 'Please choose why the account ends')

const endingPlan = z.object({
  /** What will happen, each a sentence. */
  sentences: z.array(z.string()),
  needsSecondOfficer: z.boolean(),
  /** Why it cannot be done as things are; null when it can. */
  obstacle: z.nullable(z.string()),
  version: z.string(),
})
export type EndingPlan = z.infer<typeof endingPlan>

export const planMemberEnd = endpoint({
  ...forOfficers,
  name: 'planMemberEnd',
  method: 'GET',
  path: '/api/console/members/:id/end',
  summary: 'What ending this account would do; changes nothing',
  params,
  query: z.object({ ending: endingField }),
  reply: endingPlan,
  failures: ['NOT_FOUND'],
})

export const endMember = endpoint({
  ...forOfficers,
  name: 'endMember',
  method: 'POST',
  path: '/api/console/members/:id/end',
  asksAgain: true,
  summary: 'Ends an account because its owner asked for it or died; for an officer’s account, asks a second officer',
  params,
  body: z.object({ ending: endingField, reason: reasonField, version: z.string() }),
  reply: consoleMember,
  failures: [
    'NOT_FOUND',
    'CHANGED_MEANWHILE',
    'OWN_ACCOUNT',
    'ACCOUNT_CLOSED',
    'IS_MERGED',
    'LAST_PRESIDENT',
    'APPROVAL_WAITING',
    'NO_SECOND_OFFICER',
    'ENDING_UNDER_WAY',
    'PROVIDER_FAILED',
  ],
})

export const PAID_BY = ['free', 'cheque', 'cash'] as const

export const getMemberForm = endpoint({
  ...forOfficers,
  name: 'getMemberForm',
  method: 'GET',
  path: '/api/console/member-form',
  summary: 'What adding one member by hand needs to know: the levels, and whether the caller may record a payment',
  reply: z.object({
    levels: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        isLifetime: z.boolean(),
        unitAmount: z.int(),
        interval: z.nullable(z.enum(['year', 'month'])),
        intervalCount: z.int(),
      }),
    ),
    /** `YYYY-MM-DD` on the association's calendar. */
    today: z.string(),
    mayRecordPayments: z.boolean(),
  }),
  failures: [],
})

export const addMember = endpoint({
  ...forOfficers,
  name: 'addMember',
  method: 'POST',
  path: '/api/console/members',
  asksAgain: true,
  summary: 'Adds one member by hand, with a term that is free or paid by check or cash',
  body: z
    .object({
      email: emailField,
      firstName: firstNameField,
      lastName: lastNameField,
      levelKey: lineField('Please choose a level', 64),
      startedOn: dayField('Please enter the first day'),
      /** Left out for a lifetime level. */
      endsOn: z.optional(dayField('Please enter the last day')),
      paidBy: z.enum(PAID_BY, 'Please choose how it was paid'),
      /** Of a free term. */
      reason: z.optional(reasonField),
      /** Of a check or cash. */
      reference: z.optional(lineField('Please enter the number of the check, or what the cash is known by', 80)),
      amount: z.optional(amountField),
      paidOn: z.optional(dayField('Please enter the day it was received')),
      /** Whether an email with a link to choose a password goes out. */
      invites: z.boolean(),
      /** Said once the site has named a member of the same name. */
      isSomebodyElse: z.optional(z.boolean()),
    })
    .check(
      z.refine(({ startedOn, endsOn }) => endsOn === undefined || startedOn < endsOn, {
        path: ['endsOn'],
        error: 'The last day is not after the first',
      }),
      z.refine(({ paidBy, reference }) => paidBy === 'free' || reference !== undefined, {
        path: ['reference'],
        error: 'Please enter the number of the check, or what the cash is known by',
      }),
      z.refine(({ paidBy, amount }) => paidBy === 'free' || amount !== undefined, {
        path: ['amount'],
        error: 'Please enter the amount',
      }),
      z.refine(({ paidBy, paidOn }) => paidBy === 'free' || paidOn !== undefined, {
        path: ['paidOn'],
        error: 'Please enter the day it was received',
      }),
    ),
  reply: z.object({ id: z.string() }),
  status: 201,
  failures: [],
})
