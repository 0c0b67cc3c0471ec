import { answerOwnRollCall, answerRollCall, type StillHereOutcome } from '#contract/public/my-account/still-here.ts'
import { call } from '#web/api/call.ts'

/** Loaded on demand because it imports the contract. @throws {CallFailure} */
export async function sendAnswer(
  answer: 'here' | 'moved' | 'not-me' | 'died',
  token: string | undefined,
): Promise<StillHereOutcome> {
  if (token) return (await call(answerRollCall, { body: { token, answer } })).outcome
  const own = answer === 'moved' ? answer : 'here'
  return (await call(answerOwnRollCall, { body: { answer: own } })).outcome
}
