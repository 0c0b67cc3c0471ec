import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** What a member answers to a roll call. */
export const ROLL_CALL_ANSWERS = ['here', 'moved', 'not-me', 'died'] as const
export type RollCallAnswer = (typeof ROLL_CALL_ANSWERS)[number]

export const ROLL_CALL_ANSWER_NAMES: Record<RollCallAnswer, string> = {
  here: 'Here',
  moved: 'Here, but moved',
  'not-me': 'Not this person',
  died: 'Died',
}

/** `closed`: nothing asks this any more, and nothing was stored. `deceased`: officers recorded the death; only they can undo it. */
const outcome = z.object({ outcome: z.enum(['saved', 'closed', 'deceased']) })
export type StillHereOutcome = z.infer<typeof outcome>['outcome']

/** A GET would be opened by programs that check emails, so only this answers. Idempotent; the last answer counts. */
export const answerRollCall = endpoint({
  name: 'answerRollCall',
  method: 'POST',
  path: '/api/roll-call/answer',
  access: 'anyone',
  summary: 'Answer a roll call, or a report of one’s death, by the link of an email',
  body: z.object({
    token: lineField(messages.text.unreadable, 300),
    answer: z.enum(ROLL_CALL_ANSWERS, messages.text.unreadable),
  }),
  reply: outcome,
  failures: ['STILL_HERE_LINK_INVALID'],
})

const ownRollCall = z.object({
  /** null: no roll call asks the caller now. */
  call: z.nullable(z.object({ closesOn: z.string(), answer: z.nullable(z.enum(ROLL_CALL_ANSWERS)) })),
})

export const getOwnRollCall = endpoint({
  name: 'getOwnRollCall',
  method: 'GET',
  path: '/api/account/roll-call',
  access: 'member',
  inView: 'members.look',
  summary: 'Whether a roll call asks the caller now, and the answer',
  reply: ownRollCall,
  failures: [],
})

export const answerOwnRollCall = endpoint({
  name: 'answerOwnRollCall',
  method: 'POST',
  path: '/api/account/roll-call',
  access: 'member',
  summary: 'Answer a roll call while logged in; also ends reports of one’s death',
  body: z.object({ answer: z.enum(['here', 'moved'], messages.text.unreadable) }),
  reply: outcome,
  failures: [],
})
