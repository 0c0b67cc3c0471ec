import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestResponse } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()

/** Calls until one is refused; returns how many passed, and the refusal. */
async function exhaust(
  call: () => Promise<TestResponse>,
  most: number,
): Promise<{ passed: number; refusal: TestResponse | null }> {
  for (let passed = 0; passed < most; passed++) {
    const response = await call()
    if (response.status === 429) return { passed, refusal: response }
  }
  return { passed: most, refusal: null }
}

function expectRefusal(refusal: TestResponse | null, limit: number, window: number): void {
  expect(refusal?.body).toMatchObject({
    message: 'Too many attempts. Please wait a little and try again.',
    code: 'RATE_LIMITED',
    limit,
    window,
  })
  const retryAfter = Number(refusal?.body.retryAfter)
  expect(Number.isInteger(retryAfter)).toBe(true)
  expect(retryAfter).toBeGreaterThan(0)
  expect(retryAfter).toBeLessThanOrEqual(window)
  expect(refusal?.headers.get('retry-after')).toBe(String(retryAfter))
}

/** The limits of all calls; bodies are empty, since invalid input counts too. */
const rows: [call: string, method: string, path: string, limit: number, window: number][] = [
  ['login', 'POST', '/api/auth/login', 100, 900],
  ['register', 'POST', '/api/auth/register', 60, 3_600],
  ['verify-email', 'POST', '/api/auth/verify-email', 60, 3_600],
  ['reset-password', 'POST', '/api/email/reset-password', 60, 3_600],
  ['resend-verification', 'POST', '/api/auth/resend-verification', 20, 3_600],
  ['forgot-password', 'POST', '/api/email/forgot-password', 20, 3_600],
  ['checkout/start', 'POST', '/api/stripe/checkout/start', 60, 3_600],
  ['portal-session', 'POST', '/api/billing/portal-session', 60, 3_600],
  ['verify-session', 'GET', '/api/stripe/checkout/verify-session', 600, 3_600],
  ['payment-status', 'GET', '/api/stripe/checkout/payment-status', 600, 3_600],
]

describe('limits per address', () => {
  test.each(rows)('%s', async (_call, method, path, limit, window) => {
    const visitor = app().browser()
    const send = () => visitor.call(method, path, method === 'POST' ? {} : undefined)
    // The first ones in parallel: counting is exact in any order.
    const first = await Promise.all(Array.from({ length: limit - 2 }, send))
    expect(first.filter(({ status }) => status === 429)).toEqual([])
    const { passed, refusal } = await exhaust(send, 5)
    expect(passed).toBe(2)
    expectRefusal(refusal, limit, window)
    expect(
      (
        await app()
          .browser()
          .call(method, path, method === 'POST' ? {} : undefined)
      ).status,
    ).not.toBe(429)
  })

  test('resets after its window', async () => {
    const visitor = app().browser()
    const send = () => visitor.post('/api/email/forgot-password', {})
    const { refusal } = await exhaust(send, 30)
    const retryAfter = refusal?.body.retryAfter as number
    await app().advance((retryAfter - 5) * 1_000)
    expect((await send()).status).toBe(429)
    await app().advance(6_000)
    expect((await send()).status).toBe(400)
  })

  test('every other call is counted in memory: 600 per minute', async () => {
    const visitor = app().browser()
    const responses = await Promise.all(Array.from({ length: 610 }, () => visitor.get('/api/membership-levels')))
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(10)
    expectRefusal(responses.find(({ status }) => status === 429) ?? null, 600, 60)
    const rows = await app()
      .database.db.selectFrom('rateLimit')
      .select('key')
      .where('key', 'like', 'listLevels%')
      .execute()
    expect(rows).toEqual([])
    await app().advance(61_000)
    expect((await visitor.get('/api/membership-levels')).status).toBe(200)
  })

  test('health checks and the webhook have no limit', async () => {
    const visitor = app().browser()
    await Promise.all(Array.from({ length: 605 }, () => visitor.get('/api/membership-levels')))
    for (let call = 0; call < 5; call++) {
      expect((await visitor.get('/healthz')).status).toBe(200)
      expect((await visitor.get('/readyz')).status).toBe(200)
      expect((await visitor.post('/api/stripe/webhook', {})).body.code).toBe('WEBHOOK_REFUSED')
    }
    await app().advance(61_000)
  })

  test('a subject is stored as a keyed hash: the table contains no address', async () => {
    const visitor = app().browser('198.51.100.77')
    await visitor.post('/api/auth/login', {})
    const keys = (await app().database.db.selectFrom('rateLimit').select('key').execute())
      .map(({ key }) => key)
      .join(' ')
    expect(keys).not.toMatch(/198\.51|@/)
  })
})

describe('additional limits', () => {
  test('five registrations per hour and email address, from any address and in any spelling, with an open refusal', async () => {
    let count = 0
    const send = () =>
      app()
        .browser()
        .register({ email: count++ % 2 ? 'Often@Example.com' : 'often@example.com', username: `often${count}` })
    const { passed, refusal } = await exhaust(send, 8)
    expect(passed).toBe(5)
    expectRefusal(refusal, 5, 3_600)
    await app().advance(HOUR_MS + 1_000)
    expect((await send()).status).toBe(201)
  })

  test('emails of resend and forgot-password share one limit, silently', async () => {
    const { person } = await app().browser().register()
    const request = async (path: string, action: 'resend_verification' | 'password_reset') => {
      const visitor = app().browser()
      return visitor.post(path, { email: person.email, recaptchaToken: await visitor.botToken(action) })
    }
    for (let call = 0; call < 2; call++) {
      expect((await request('/api/auth/resend-verification', 'resend_verification')).status).toBe(204)
      expect((await request('/api/email/forgot-password', 'password_reset')).status).toBe(200)
    }
    await app().drain()
    expect(app().standins.mails(person.email).length).toBeLessThanOrEqual(4)
  })
})

test('IPv6 counts by its /64 network', async () => {
  const visitor = app().browser()
  let host = 0
  const forgot = (address: string) =>
    visitor.call('POST', '/api/email/forgot-password', {}, { 'x-forwarded-for': address })
  const { passed } = await exhaust(() => forgot(`2001:db8:7:7::${(++host).toString(16)}`), 30)
  expect(passed).toBe(20)
  expect((await forgot('2001:db8:7:8::1')).status).toBe(400)
})

test('an IPv6 /48 has twenty times the limit of one of its /64 networks, counted in the database and in memory', async () => {
  const visitor = app().browser()
  const from = (network: string, turn: number) => ({ 'x-forwarded-for': `${network}:${turn.toString(16)}::1` })
  const forgot = (headers: Record<string, string>) => visitor.call('POST', '/api/email/forgot-password', {}, headers)
  // 20 per hour and address: 450 networks of one /48, one call each.
  const statuses: number[] = []
  for (let turn = 0; turn < 450; turn++) statuses.push((await forgot(from('2001:db8:48', turn))).status)
  expect([statuses.indexOf(429), statuses.filter((status) => status === 429).length]).toEqual([400, 50])
  expect((await forgot(from('2001:db8:49', 1))).status).toBe(400)
  expectRefusal(await forgot(from('2001:db8:48', 9_999)), 20, 3_600)
  // An address over its own limit does not use up the limit of its neighbors.
  const alone = await exhaust(() => forgot(from('2001:db8:50', 7)), 60)
  expect(alone.passed).toBe(20)
  expect((await forgot(from('2001:db8:50', 8))).status).toBe(400)
})
