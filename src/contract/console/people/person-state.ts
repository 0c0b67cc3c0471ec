import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { dayField, reasonField } from '../member.ts'

/** What officers know about a person: living, out of contact, or deceased (decision record 63). */

export const PERSON_STATES = ['living', 'lost', 'deceased'] as const
export type PersonState = (typeof PERSON_STATES)[number]

export const PERSON_STATE_NAMES: Record<PersonState, string> = {
  living: 'Living',
  lost: 'Lost contact',
  deceased: 'Deceased',
}

export const personStateLimits = {
  /** How long a person may object to a report before officers may decide. */
  objectionDays: 7,
  /** How long a decision that a person died can be undone. */
  undoDays: 30,
  sources: 2,
  sourceMax: 300,
} as const

const personRecord = z.object({
  state: z.enum(PERSON_STATES),
  /** The decision in force; null for the living. Days are `YYYY-MM-DD`, instants ISO 8601. */
  decision: z.nullable(
    z.object({
      since: z.string(),
      sources: z.array(z.string()),
      decidedBy: z.string(),
      decidedAt: z.string(),
      /** Until when it can be undone; null: at any time. */
      undoUntil: z.nullable(z.string()),
      /** A recurring payment was ended with it, which an undo does not restore. */
      endedRenewal: z.boolean(),
    }),
  ),
  /** Reports of a death that are neither decided nor answered; oldest first. */
  reports: z.array(
    z.object({
      source: z.string(),
      /** null: by the link of a roll call. */
      reportedBy: z.nullable(z.string()),
      reportedAt: z.string(),
    }),
  ),
  /** When the reports suffice and the time to object is over; null: the reports do not suffice. */
  decidableFrom: z.nullable(z.string()),
  mayReport: z.boolean(),
  mayDecide: z.boolean(),
})
export type PersonRecord = z.infer<typeof personRecord>

const params = z.object({ id: lineField(messages.text.unreadable, 64) })
const change = { access: 'officer', permission: 'members.change', requiresFreshFactor: true, params } as const

export const getPersonState = endpoint({
  name: 'getPersonState',
  method: 'GET',
  path: '/api/console/members/:id/state',
  access: 'officer',
  permission: 'members.look',
  summary: 'Whether a person is living, out of contact or deceased, and what was reported',
  params,
  reply: personRecord,
  failures: ['NOT_FOUND'],
})

export const reportDeath = endpoint({
  ...change,
  name: 'reportDeath',
  method: 'POST',
  path: '/api/console/members/:id/death-reports',
  summary: 'Report that a person died; changes nothing, and emails the account so that the person can object',
  body: z.object({ source: lineField('Please enter how you know', personStateLimits.sourceMax) }),
  reply: personRecord,
  failures: ['NOT_FOUND', 'OWN_ACCOUNT', 'ACCOUNT_CLOSED'],
})

export const dismissDeathReports = endpoint({
  ...change,
  name: 'dismissDeathReports',
  method: 'POST',
  path: '/api/console/members/:id/death-reports/dismiss',
  summary: 'Dismiss the reports that a person died',
  body: z.object({ reason: reasonField }),
  reply: personRecord,
  failures: ['NOT_FOUND', 'OWN_ACCOUNT', 'CHANGED_MEANWHILE'],
})

export const setPersonState = endpoint({
  ...change,
  name: 'setPersonState',
  method: 'POST',
  path: '/api/console/members/:id/state',
  summary: 'Decide that a person is out of contact or died, or undo it',
  body: z.object({
    state: z.enum(PERSON_STATES, messages.text.unreadable),
    /** The state that the officer saw. */
    seen: z.enum(PERSON_STATES, messages.text.unreadable),
    /** Since when; today if omitted. */
    since: z.optional(dayField('Please enter the day')),
    reason: reasonField,
  }),
  reply: personRecord,
  failures: [
    'NOT_FOUND',
    'CHANGED_MEANWHILE',
    'OWN_ACCOUNT',
    'OFFICER_ACCOUNT',
    'ACCOUNT_CLOSED',
    'IS_MERGED',
    'LAST_PRESIDENT',
    'TWO_SOURCES_NEEDED',
    'TIME_TO_OBJECT',
    'UNDO_OVER',
    'ENDING_UNDER_WAY',
    'PROVIDER_FAILED',
  ],
})
