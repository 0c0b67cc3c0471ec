import * as z from 'zod/mini'
import { isDay } from '#contract/dates/days.ts'
import { endpoint, fileEndpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { ROLL_CALL_ANSWERS } from '#contract/public/my-account/still-here.ts'
import { reasonField } from '../member.ts'
import { selectedIds } from '../member-list.ts'
import { ROLL_WAYS } from './roll.ts'

/** The roll call: members are asked each year whether they are still here (decision record 63). */

/** How an answer came in. */
export const ROLL_CALL_HOWS = ['link', 'login', 'phone', 'post'] as const
export type RollCallHow = (typeof ROLL_CALL_HOWS)[number]

/** How an officer learned of an answer that the officer records. */
export const HEARD_BY = ['phone', 'post'] as const

export const ROLL_CALL_HOW_NAMES: Record<RollCallHow, string> = {
  link: 'Link',
  login: 'Log-in',
  phone: 'Phone',
  post: 'Post',
}

/** Parts of the list of a roll call. `proposed`: silent in this roll call and the one before, and not heard of since. */
export const ROLL_CALL_PARTS = ['all', 'answered', 'silent', 'proposed'] as const
export type RollCallPart = (typeof ROLL_CALL_PARTS)[number]

const rollCall = z.object({
  id: z.string(),
  beganAt: z.string(),
  beganBy: z.string(),
  closesOn: z.string(),
  isOpen: z.boolean(),
  /** Names of levels. */
  levels: z.array(z.string()),
  counts: z.object({
    asked: z.int(),
    here: z.int(),
    moved: z.int(),
    notMe: z.int(),
    died: z.int(),
    silent: z.int(),
    proposed: z.int(),
    /** Of those asked, whose contact is lost now. */
    lost: z.int(),
    /** Who said that they are here and is not lost since. */
    reached: z.int(),
  }),
})
export type RollCall = z.infer<typeof rollCall>

const look = { access: 'officer', permission: 'members.look' } as const
const ask = { access: 'officer', permission: 'members.notify', requiresFreshFactor: true } as const
const change = { access: 'officer', permission: 'members.change', requiresFreshFactor: true } as const
const params = z.object({ id: lineField(messages.text.unreadable, 64) })

export const listRollCalls = endpoint({
  ...look,
  name: 'listRollCalls',
  method: 'GET',
  path: '/api/console/roll-calls',
  summary: 'List roll calls, newest first, and the levels to ask',
  reply: z.object({
    calls: z.array(rollCall),
    levels: z.array(z.object({ key: z.string(), name: z.string(), isLifetime: z.boolean() })),
    /** The day of today on the association's calendar. */
    today: z.string(),
    mayStart: z.boolean(),
  }),
  failures: [],
})

export const startRollCall = endpoint({
  ...ask,
  name: 'startRollCall',
  method: 'POST',
  path: '/api/console/roll-calls',
  summary: 'Ask the active members of some levels by email whether they are still here',
  body: z.object({
    levels: z
      .array(lineField(messages.text.unreadable, 64))
      .check(z.minLength(1, 'Please choose a level'), z.maxLength(50, messages.text.unreadable)),
    closesOn: z.string('Please enter the last day').check(z.refine(isDay, 'Please enter the last day')),
  }),
  reply: rollCall,
  status: 201,
  failures: ['ROLL_CALL_OPEN', 'NO_RECIPIENTS'],
})

export const closeRollCall = endpoint({
  ...ask,
  name: 'closeRollCall',
  method: 'POST',
  path: '/api/console/roll-calls/:id/close',
  summary: 'Close a roll call before its last day',
  params,
  reply: rollCall,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

const person = z.object({
  accountId: z.string(),
  name: z.string(),
  way: z.enum(ROLL_WAYS),
  answer: z.nullable(z.enum(ROLL_CALL_ANSWERS)),
  answeredAt: z.nullable(z.string()),
  how: z.nullable(z.enum(ROLL_CALL_HOWS)),
  /** Who recorded it; null: the member, or anyone who had the link. */
  answeredBy: z.nullable(z.string()),
  isLost: z.boolean(),
})
export type RollCallPerson = z.infer<typeof person>

export const getRollCall = endpoint({
  ...look,
  name: 'getRollCall',
  method: 'GET',
  path: '/api/console/roll-calls/:id',
  summary: 'Get a roll call, and a part of its list by name, in pages',
  params,
  query: z.object({
    part: z._default(z.enum(ROLL_CALL_PARTS), 'all'),
    page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/, messages.text.unreadable))),
    size: z._default(z.enum(['25', '50', '100']), '25'),
  }),
  reply: z.object({
    call: rollCall,
    people: z.array(person),
    total: z.int(),
    mayAsk: z.boolean(),
    mayRecord: z.boolean(),
  }),
  failures: ['NOT_FOUND'],
})

export const recordRollCallAnswer = endpoint({
  ...change,
  name: 'recordRollCallAnswer',
  method: 'POST',
  path: '/api/console/roll-calls/:id/answers',
  summary: 'Record an answer that came by phone or by post',
  params,
  body: z.object({
    accountId: lineField(messages.text.unreadable, 64),
    answer: z.enum(ROLL_CALL_ANSWERS, 'Please choose the answer'),
    how: z.enum(HEARD_BY, 'Please choose how you heard'),
  }),
  reply: rollCall,
  failures: ['NOT_FOUND', 'OWN_ACCOUNT', 'ACCOUNT_CLOSED', 'ROLL_CALL_CLOSED'],
})

export const recordLostContact = endpoint({
  ...change,
  name: 'recordLostContact',
  method: 'POST',
  path: '/api/console/roll-calls/:id/lost',
  summary: 'Record lost contact with members who were silent in two roll calls that are over; others are skipped',
  params,
  body: z.object({ accountIds: selectedIds, reason: reasonField }),
  reply: z.object({ recorded: z.int(), skipped: z.int() }),
  failures: ['NOT_FOUND', 'ROLL_CALL_OPEN'],
})

export const downloadRollCallPost = fileEndpoint({
  ...ask,
  name: 'downloadRollCallPost',
  method: 'GET',
  path: '/api/console/roll-calls/:id/post.pdf',
  summary: 'Get the question to silent members as one PDF to post, a page for each',
  params,
  media: 'application/pdf',
  failures: ['NOT_FOUND', 'NOTHING_TO_POST'],
})

export const downloadRollCallLabels = fileEndpoint({
  ...ask,
  name: 'downloadRollCallLabels',
  method: 'GET',
  path: '/api/console/roll-calls/:id/labels.csv',
  summary: 'Get names and postal addresses of silent members as CSV, protected against formulas',
  params,
  media: 'text/csv',
  failures: ['NOT_FOUND', 'NOTHING_TO_POST'],
})
