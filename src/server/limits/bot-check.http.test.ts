import { afterEach, describe, expect, test } from 'vitest'
import type { BotCheckAction } from '#contract/limits.ts'
import type { TestResponse } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
afterEach(() => app().standins.control({ bot: 'ok' }))

const FORM = 'Security verification failed. Please refresh the page and try again.'
const LOG_IN = 'reCAPTCHA verification failed. Please try again.'
let number = 0

/** The four calls that send a token, with otherwise valid bodies. */
const calls = {
  registration: [
    '/api/auth/register',
    () => ({
      email: `bot${++number}@example.com`,
      username: `bot${number}`,
      password: 'monsoon-in-macon',
      firstName: 'A',
      lastName: 'B',
      levelKey: 'annual_member',
    }),
  ],
  login: ['/api/auth/login', () => ({ identifier: `unknown${++number}`, password: 'x' })],
  resend_verification: ['/api/auth/resend-verification', () => ({ email: `bot${++number}@example.com` })],
  password_reset: ['/api/email/forgot-password', () => ({ email: `bot${++number}@example.com` })],
} as const satisfies Partial<Record<BotCheckAction, readonly [string, () => object]>>

type Action = keyof typeof calls
const ACTIONS = Object.keys(calls) as Action[]
const SERVED: Record<Action, number> = { registration: 201, login: 401, resend_verification: 204, password_reset: 200 }
const messageFor = (action: Action) => (action === 'registration' ? FORM : LOG_IN)

async function send(action: Action, recaptchaToken?: unknown): Promise<TestResponse> {
  const [path, body] = calls[action]
  return app()
    .browser()
    .post(path, { ...body(), ...(recaptchaToken !== undefined && { recaptchaToken }) })
}

function expectRefused(action: Action, response: TestResponse): void {
  expect(response.status).toBe(400)
  expect(response.body).toMatchObject({ message: messageFor(action), code: 'BOT_CHECK_FAILED' })
}

describe.each(ACTIONS)('%s (docs/product-rules.md#bot-check)', (action) => {
  const other: BotCheckAction = action === 'login' ? 'registration' : 'login'
  const token = (score: number) => app().browser().botToken(action, score)

  test.each([0.5, 0.51, 1])('a score of %d is accepted', async (score) => {
    expect((await send(action, await token(score))).status).toBe(SERVED[action])
  })

  test('a score of 0.49 is refused', async () => expectRefused(action, await send(action, await token(0.49))))

  test('a token of another action is refused', async () => {
    expectRefused(action, await send(action, await app().browser().botToken(other)))
  })

  test('a token is valid once', async () => {
    const once = await token(0.9)
    expect((await send(action, once)).status).toBe(SERVED[action])
    expectRefused(action, await send(action, once))
  })

  test('a token older than 2 minutes is refused', async () => {
    const old = await token(0.9)
    await app().advance(121_000)
    expectRefused(action, await send(action, old))
  })

  test.each([
    ['left out', undefined],
    ['empty', ''],
    ['invented', 'invented-token'],
  ])('one that is %s is refused', async (_name, given) => {
    expectRefused(action, await send(action, given))
  })

  test('a token that is not a string is refused as invalid input', async () => {
    const { status, body } = await send(action, { $ne: null })
    expect(status).toBe(400)
    expect(body.code).toBe('INVALID_INPUT')
  })

  test.each(['error', 'refuse', 'garbage', 'limited', 'reset', 'lostReply'] as const)(
    'while the provider is down (%s)',
    async (fault) => {
      const given = await token(0.9)
      await app().standins.control({ bot: fault })
      const response = await send(action, given)
      if (action === 'registration') {
        expect(response.status).toBe(503)
        expect(response.body).toEqual({ message: FORM, code: 'BOT_CHECK_UNAVAILABLE' })
      } else {
        expect(response.status).toBe(SERVED[action])
      }
    },
  )
})

test('a provider slower than 3 s counts as down', async () => {
  const tokens = await Promise.all(ACTIONS.map((action) => app().browser().botToken(action)))
  await app().standins.control({ bot: 'slow', slowMs: 20_000 })
  const started = Date.now()
  const responses = await Promise.all(ACTIONS.map((action, index) => send(action, tokens[index])))
  expect(Date.now() - started).toBeLessThan(4_500)
  expect(responses.map(({ status }) => status)).toEqual([503, 401, 204, 200])
})

test('a refused registration loses no input: the same form succeeds when the provider is back', async () => {
  const person = { email: 'kept@example.com', username: 'kept', levelKey: 'medical_student' }
  await app().standins.control({ bot: 'error', times: 1 })
  expect((await app().browser().register(person)).status).toBe(503)
  expect((await app().browser().register(person)).status).toBe(201)
})
