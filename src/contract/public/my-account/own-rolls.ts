import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { textField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** Rolls of members that are open to objections: read by those on them, without addresses. */

export const rollLimits = { objection: { min: 5, max: 1_000 }, perPage: 100 } as const

const ownRoll = z.object({
  id: z.string(),
  name: z.string(),
  recordDay: z.string(),
  objectionsUntil: z.string(),
  /** Whether the caller is on it, and so may read it. */
  isOnRoll: z.boolean(),
  /** The caller's own. */
  objections: z.array(z.object({ text: z.string(), madeAt: z.string(), answer: z.nullable(z.string()) })),
})
export type OwnRoll = z.infer<typeof ownRoll>

const reply = z.object({ rolls: z.array(ownRoll) })
const params = z.object({ id: z.string().check(z.maxLength(64, messages.text.unreadable)) })

export const listOwnRolls = endpoint({
  name: 'listOwnRolls',
  method: 'GET',
  path: '/api/account/rolls',
  access: 'member',
  summary: 'List rolls that are open to objections, and whether the caller is on them',
  reply,
  failures: [],
})

/** Each look is in the audit log. */
export const readRoll = endpoint({
  name: 'readRoll',
  method: 'GET',
  path: '/api/rolls/:id',
  access: 'member',
  summary: 'Read a roll that is open to objections, by the alphabet, in pages, without addresses',
  params,
  query: z.object({ page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}$/, messages.text.unreadable))) }),
  reply: z.object({
    people: z.array(z.object({ name: z.string(), level: z.string() })),
    total: z.int(),
  }),
  failures: ['NOT_FOUND', 'ACTIVE_MEMBERSHIP_REQUIRED'],
})

export const objectToRoll = endpoint({
  name: 'objectToRoll',
  method: 'POST',
  path: '/api/rolls/:id/objections',
  access: 'member',
  summary: 'Object to a roll: someone is missing from it, or on it by mistake',
  params,
  body: z.object({
    text: textField(
      {
        required: 'Please write what is wrong',
        short: 'Please write a little more',
        long: 'Please shorten this',
      },
      rollLimits.objection,
    ),
  }),
  reply,
  failures: ['NOT_FOUND'],
})
