import * as z from 'zod/mini'
import { isDay } from '#contract/dates/days.ts'
import { endpoint, fileEndpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** The roll: who is entitled on a record day by a rule, open to objections, then sealed (decision record 63). */

/** How a person on a roll is reached. */
export const ROLL_WAYS = ['email', 'post', 'none'] as const
export type RollWay = (typeof ROLL_WAYS)[number]

const rollRule = z.object({
  /** Keys of levels. */
  levels: z
    .array(lineField(messages.text.unreadable, 64))
    .check(z.minLength(1, 'Please choose a level'), z.maxLength(50, messages.text.unreadable)),
  /** How long after the end of a term a member stays entitled. */
  graceDays: z.int(messages.text.unreadable).check(z.gte(0, messages.text.unreadable), z.lte(366, 'At most 366 days')),
  /** Whether members whose contact is lost are on it. */
  includesLost: z.boolean(messages.text.unreadable),
})
export type RollRule = z.infer<typeof rollRule>

const roll = z.object({
  id: z.string(),
  name: z.string(),
  recordDay: z.string(),
  rule: rollRule,
  /** Names of the levels. */
  levelNames: z.array(z.string()),
  frozenAt: z.string(),
  frozenBy: z.string(),
  objectionsUntil: z.string(),
  /** Members may read it and object. */
  isOpen: z.boolean(),
  people: z.int(),
  objections: z.object({ open: z.int(), answered: z.int() }),
  sealed: z.nullable(z.object({ at: z.string(), by: z.string(), digest: z.string() })),
})
export type Roll = z.infer<typeof roll>

const params = z.object({ id: lineField(messages.text.unreadable, 64) })
const look = { access: 'officer', permission: 'members.look' } as const
const change = { access: 'officer', permission: 'members.notify', requiresFreshFactor: true } as const
const dayText = (sentence: string) => z.string(sentence).check(z.refine(isDay, sentence))

export const listRolls = endpoint({
  ...look,
  name: 'listRolls',
  method: 'GET',
  path: '/api/console/rolls',
  summary: 'List rolls, newest first, and the levels of a rule',
  reply: z.object({
    rolls: z.array(roll),
    levels: z.array(z.object({ key: z.string(), name: z.string() })),
    today: z.string(),
    mayFreeze: z.boolean(),
  }),
  failures: [],
})

export const freezeRoll = endpoint({
  ...change,
  name: 'freezeRoll',
  method: 'POST',
  path: '/api/console/rolls',
  summary: 'Freeze the roll of a record day by a rule; the same day and rule make one roll',
  body: z.object({
    name: lineField('Please enter a name', 100),
    /** Over: the roll is as of its end. */
    recordDay: dayText('Please enter the record day'),
    objectionsUntil: dayText('Please enter the last day for objections'),
    rule: rollRule,
  }),
  reply: roll,
  status: 201,
  failures: [],
})

const entry = z.object({
  accountId: z.string(),
  name: z.string(),
  level: z.string(),
  way: z.enum(ROLL_WAYS),
  /** Changed by an officer after an objection. */
  change: z.nullable(z.enum(['added', 'removed'])),
})
export type RollEntry = z.infer<typeof entry>

const objection = z.object({
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  /** Whether the member who objects is on the roll. */
  isOnRoll: z.boolean(),
  text: z.string(),
  madeAt: z.string(),
  answer: z.nullable(z.string()),
  answeredBy: z.nullable(z.string()),
})
export type RollObjection = z.infer<typeof objection>

const rollDetail = z.object({
  roll,
  entries: z.array(entry),
  total: z.int(),
  objections: z.array(objection),
  mayChange: z.boolean(),
})
export type RollDetail = z.infer<typeof rollDetail>

const pages = {
  page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/, messages.text.unreadable))),
  size: z._default(z.enum(['25', '50', '100']), '25'),
}

export const getRoll = endpoint({
  ...look,
  name: 'getRoll',
  method: 'GET',
  path: '/api/console/rolls/:id',
  summary: 'Get a roll, its people by the alphabet, in pages, and the objections',
  params,
  query: z.object(pages),
  reply: rollDetail,
  failures: ['NOT_FOUND'],
})

export const answerRollObjection = endpoint({
  ...change,
  name: 'answerRollObjection',
  method: 'POST',
  path: '/api/console/rolls/:id/objections/:objection',
  summary: 'Answer an objection to a roll, and add or remove a person with it',
  params: z.object({
    id: lineField(messages.text.unreadable, 64),
    objection: lineField(messages.text.unreadable, 64),
  }),
  body: z.object({
    answer: lineField('Please write the answer', 1_000),
    change: z.nullable(
      z.object({ what: z.enum(['add', 'remove']), accountId: lineField(messages.text.unreadable, 64) }),
    ),
  }),
  reply: roll,
  failures: ['NOT_FOUND', 'OWN_ACCOUNT', 'ACCOUNT_CLOSED', 'CHANGED_MEANWHILE', 'ROLL_SEALED'],
})

export const sealRoll = endpoint({
  ...change,
  name: 'sealRoll',
  method: 'POST',
  path: '/api/console/rolls/:id/seal',
  summary: 'Seal a roll with the digest of its list; nothing about it changes afterward',
  params,
  reply: roll,
  failures: ['NOT_FOUND', 'OBJECTIONS_OPEN', 'ROLL_SEALED'],
})

export const downloadRoll = fileEndpoint({
  ...change,
  name: 'downloadRoll',
  method: 'GET',
  path: '/api/console/rolls/:id/roll.csv',
  summary: 'Get the roll with addresses and votes as CSV, protected against formulas; without email addresses',
  params,
  media: 'text/csv',
  failures: ['NOT_FOUND'],
})
