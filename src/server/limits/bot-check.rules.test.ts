import { describe, expect, test } from 'vitest'
import type { BotCheckAction } from '#contract/limits.ts'
import { evaluateBotCheck, parseProviderResponse, type ProviderResponse } from './bot-check.rules.ts'

const ACTIONS: BotCheckAction[] = [
  'registration',
  'login',
  'resend_verification',
  'password_reset',
  'contact_form',
  'newsletter_subscribe',
]
const GOES_ON: BotCheckAction[] = ['login', 'password_reset', 'resend_verification']

function makeVerdict(
  action: string,
  changed: Partial<Extract<ProviderResponse, { kind: 'judged' }>> = {},
): ProviderResponse {
  return { kind: 'judged', success: true, score: 0.9, action, errorCodes: [], ...changed }
}

describe.each(ACTIONS)('for %s (docs/product-rules.md#bot-check)', (action) => {
  const other = action === 'login' ? 'registration' : 'login'

  test.each<[string, ProviderResponse, string]>([
    ['a score of 0.9 passes', makeVerdict(action), 'passed'],
    ['a score of 0.5 passes', makeVerdict(action, { score: 0.5 }), 'passed'],
    ['a score of 0.51 passes', makeVerdict(action, { score: 0.51 }), 'passed'],
    ['a score of 0.49 fails', makeVerdict(action, { score: 0.49 }), 'failed'],
    ['a token of another action fails', makeVerdict(other), 'failed'],
    ['a token without an action fails', makeVerdict(''), 'failed'],
    [
      'a used or old token fails',
      makeVerdict(action, { success: false, errorCodes: ['timeout-or-duplicate'] }),
      'failed',
    ],
    [
      'an invented token fails',
      makeVerdict(action, { success: false, errorCodes: ['invalid-input-response'] }),
      'failed',
    ],
  ])('%s', (_name, providerAnswer, kind) => {
    expect(evaluateBotCheck(providerAnswer, action).kind).toBe(kind)
  })

  test('without a verdict only actions that would lock someone out are allowed', () => {
    const verdict = evaluateBotCheck({ kind: 'unavailable' }, action)
    expect(verdict).toEqual({ kind: 'unjudged', goesOn: GOES_ON.includes(action), misconfigured: false })
  })

  test.each(['invalid-input-secret', 'missing-input-secret', 'invalid-keys'])(
    'a wrong key of ours (%s) is our fault, not the visitor’s',
    (code) => {
      const verdict = evaluateBotCheck(makeVerdict(action, { success: false, errorCodes: [code] }), action)
      expect(verdict).toEqual({ kind: 'unjudged', goesOn: GOES_ON.includes(action), misconfigured: true })
    },
  )
})

describe('parsing the response of the provider', () => {
  test.each([
    ['nothing', null],
    ['a text', 'ok'],
    ['a list', []],
    ['an object of another shape', { status: 'ok' }],
    ['a success that is not a yes or no', { success: 'true' }],
  ])('%s counts as unavailable', (_name, body) => {
    expect(parseProviderResponse(body)).toEqual({ kind: 'unavailable' })
  })

  test('a success without a numeric score has score 0', () => {
    expect(parseProviderResponse({ success: true, action: 'login' })).toMatchObject({ score: 0 })
    expect(parseProviderResponse({ success: true, action: 'login', score: '0.9' })).toMatchObject({ score: 0 })
  })
})
