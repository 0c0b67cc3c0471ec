import { termUnit } from '../public/membership.ts'
import * as z from 'zod/mini'
import { amountField, consoleMember, dayField, reasonField } from './member.ts'
import { endpoint } from '../endpoint.ts'
import { emailField, firstNameField, lastNameField, lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Officers' changes to a member's account: another email address, ending the account, and adding a member manually (decision record 28). */

const params = z.object({ id: lineField(messages.text.unreadable, 64) })
const forOfficers = { access: 'officer', permission: 'members.change' } as const

export const requestMemberEmail = endpoint({
  ...forOfficers,
  name: 'askMemberEmail',
  method: 'POST',
  path: '/api/console/members/:id/email',
  requiresFreshFactor: true,
  summary: 'Request another email address for a member; it takes effect once confirmed from that address',
  params,
  body: z.object({
    email: emailField,
    reason: reasonField,
    /** The address shown in the form. */
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
  summary: 'Withdraw a change of address that is not confirmed yet',
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
  /** What will happen, one sentence each. */
  sentences: z.array(z.string()),
  needsSecondOfficer: z.boolean(),
  /** Why it is not possible right now; null if it is. */
  obstacle: z.nullable(z.string()),
  version: z.string(),
})
export type EndingPlan = z.infer<typeof endingPlan>

export const planMemberEnd = endpoint({
  ...forOfficers,
  name: 'planMemberEnd',
  method: 'GET',
  path: '/api/console/members/:id/end',
  summary: 'Preview what ending this account would do; changes nothing',
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
  requiresFreshFactor: true,
  summary:
    'End an account because its owner asked or died; for an officer’s account, requests approval of a second officer',
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
    'DEATH_NOT_RECORDED',
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
  summary: 'Get the levels for adding a member manually, and whether the caller may record a payment',
  reply: z.object({
    levels: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        isLifetime: z.boolean(),
        unitAmount: z.int(),
        interval: z.nullable(termUnit),
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
  requiresFreshFactor: true,
  summary: 'Add a member manually, with a term that is complimentary or paid by check or cash',
  body: z
    .object({
      email: emailField,
      firstName: firstNameField,
      lastName: lastNameField,
      levelKey: lineField('Please choose a level', 64),
      startedOn: dayField('Please enter the first day'),
      /** Omit for a lifetime level. */
      endsOn: z.optional(dayField('Please enter the last day')),
      paidBy: z.enum(PAID_BY, 'Please choose how it was paid'),
      /** For a complimentary term. */
      reason: z.optional(reasonField),
      /** For a check or cash payment. */
      reference: z.optional(lineField('Please enter the check number, or a reference for the cash', 80)),
      amount: z.optional(amountField),
      paidOn: z.optional(dayField('Please enter the day it was received')),
      /** Whether to email a link to choose a password. */
      invites: z.boolean(),
      /** Set after the site has warned about a member with the same name. */
      isSomebodyElse: z.optional(z.boolean()),
    })
    .check(
      z.refine(({ startedOn, endsOn }) => endsOn === undefined || startedOn < endsOn, {
        path: ['endsOn'],
        error: 'The last day is not after the first',
      }),
      z.refine(({ paidBy, reference }) => paidBy === 'free' || reference !== undefined, {
        path: ['reference'],
        error: 'Please enter the check number, or a reference for the cash',
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
