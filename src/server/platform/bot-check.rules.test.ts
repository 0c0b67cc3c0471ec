import { describe, expect, test } from 'vitest'
import type { BotCheckAction } from '#contract/limits.ts'
import { judgeBotCheck, readProviderAnswer, type ProviderAnswer } from './bot-check.rules.ts'

const ACTIONS: BotCheckAction[] = [
  'registration',
  'login',
  'resend_verification',
  'password_reset',
  'contact_form',
  'newsletter_subscribe',
]
const GOES_ON: BotCheckAction[] = ['login', 'password_reset', 'resend_verification']

function judged(action: string, changed: Partial<Extract<ProviderAnswer, { kind: 'judged' }>> = {}): ProviderAnswer {
  return { kind: 'judged', success: true, score: 0.9, action, errorCodes: [], ...changed }
}

describe.each(ACTIONS)('for %s (docs/product-rules.md#bot-check)', (action) => {
  const other = action === 'login' ? 'registration' : 'login'

  test.each<[string, ProviderAnswer, string]>([
    ['a score of 0.9 passes', judged(action), 'passed'],
    ['a score of 0.5 passes', judged(action, { score: 0.5 }), 'passed'],
    ['a score of 0.51 passes', judged(action, { score: 0.51 }), 'passed'],
    ['a score of 0.49 fails', judged(action, { score: 0.49 }), 'failed'],
    ['a token of another action fails', judged(other), 'failed'],
    ['a token without an action fails', judged(''), 'failed'],
    ['a used or old token fails', judged(action, { success: false, errorCodes: ['timeout-or-duplicate'] }), 'failed'],
    ['an invented token fails', judged(action, { success: false, errorCodes: ['invalid-input-response'] }), 'failed'],
  ])('%s', (_name, answer, kind) => {
    expect(judgeBotCheck(answer, action).kind).toBe(kind)
  })

  test('without an answer it goes on only where nobody is locked out by it', () => {
    const verdict = judgeBotCheck({ kind: 'unavailable' }, action)
    expect(verdict).toEqual({ kind: 'unjudged', goesOn: GOES_ON.includes(action), misconfigured: false })
  })

  test.each(['invalid-input-secret', 'missing-input-secret', 'invalid-keys'])(
    'our own wrong key (%s) is our fault, not the visitor’s',
    (code) => {
      const verdict = judgeBotCheck(judged(action, { success: false, errorCodes: [code] }), action)
      expect(verdict).toEqual({ kind: 'unjudged', goesOn: GOES_ON.includes(action), misconfigured: true })
    },
  )
})

describe("reading the provider's answer", () => {
  test.each([
    ['nothing', null],
    ['a text', 'ok'],
    ['a list', []],
    ['an object of another shape', { status: 'ok' }],
    ['a success that is not a yes or no', { success: 'true' }],
  ])('%s counts as unavailable', (_name, body) => {
    expect(readProviderAnswer(body)).toEqual({ kind: 'unavailable' })
  })

  test('a success without a score or with one that is not a number has score 0', () => {
    expect(readProviderAnswer({ success: true, action: 'login' })).toMatchObject({ score: 0 })
    expect(readProviderAnswer({ success: true, action: 'login', score: '0.9' })).toMatchObject({ score: 0 })
  })
})
