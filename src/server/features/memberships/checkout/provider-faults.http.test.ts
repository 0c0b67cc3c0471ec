import { afterEach, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
afterEach(() => app().standins.control({ stripe: 'ok' }))

const START = '/api/stripe/checkout/start'
const FAILED = { message: 'Checkout failed', code: 'CHECKOUT_FAILED' }

async function verified() {
  const browser = app().browser()
  const { person } = await browser.register()
  await browser.verify(person.email)
  return {
    browser,
    person,
    start: (levelKey = 'annual_member') => browser.post(START, { levelKey, email: person.email }),
    sessions: () =>
      app()
        .standins.stripe.sessions()
        .filter((session) => session.customer_email === person.email),
  }
}

describe('starting a checkout while the provider is unavailable', () => {
  test.each(['error', 'refuse', 'reset', 'garbage', 'limited'] as const)(
    '%s: Checkout failed within 10 s, and the next try works, with one session in all',
    async (fault) => {
      const { start, sessions } = await verified()
      await app().standins.control({ stripe: fault })
      const began = Date.now()
      const refused = await start()
      expect(Date.now() - began).toBeLessThan(10_000)
      expect(refused.status).toBe(502)
      expect(refused.body).toEqual(FAILED)
      expect(refused.headers.getSetCookie()).toEqual([])
      await app().standins.control({ stripe: 'ok' })
      const again = await start()
      expect(again.status).toBe(200)
      expect(again.body.completed).toBe(false)
      expect(sessions()).toHaveLength(1)
    },
  )

  test.each(['error', 'reset', 'lostReply', 'limited'] as const)('recovers from a single %s', async (fault) => {
    const { start, sessions } = await verified()
    await app().standins.control({ stripe: fault, times: 1 })
    const answer = await start()
    if (answer.status !== 200) expect((await start()).status).toBe(200)
    expect(sessions()).toHaveLength(1)
  })

  test('after lost responses the created session is found again instead of creating another', async () => {
    const { start, sessions } = await verified()
    await app().standins.control({ stripe: 'lostReply' })
    expect((await start()).status).toBe(502)
    await app().standins.control({ stripe: 'ok' })
    expect((await start()).status).toBe(200)
    expect((await start()).body.reused).toBe(true)
    expect(sessions()).toHaveLength(1)
  })

  test('choosing another level after a lost reply leaves one open session', async () => {
    const { start, sessions } = await verified()
    await start()
    await app().standins.control({ stripe: 'lostReply' })
    await start('life_member')
    await app().standins.control({ stripe: 'ok' })
    await app().advance(20_000)
    expect((await start('associate_member')).status).toBe(200)
    expect(
      sessions()
        .filter(({ status }) => status === 'open')
        .map(({ amount_total: amount }) => amount),
    ).toEqual([5_000])
  })

  test('double clicks during an outage end with one session', async () => {
    const { start, sessions } = await verified()
    await app().standins.control({ stripe: 'error', times: 3 })
    await Promise.all(Array.from({ length: 8 }, () => start()))
    await app().standins.control({ stripe: 'ok' })
    expect((await start()).status).toBe(200)
    expect(sessions()).toHaveLength(1)
  })

  test('a free level is not affected', async () => {
    const { start } = await verified()
    await app().standins.control({ stripe: 'refuse' })
    expect((await start('medical_student')).body.completed).toBe(true)
  })

  test('a slow provider: Checkout failed within 10 s, and one session in all despite retries', async () => {
    await (await verified()).start()
    const { start, sessions } = await verified()
    await app().standins.control({ stripe: 'slow', slowMs: 6_000, times: 1 })
    const began = Date.now()
    expect((await start()).body).toEqual(FAILED)
    expect(Date.now() - began).toBeLessThan(10_000)
    await expect.poll(async () => (await start()).status, { timeout: 9_000, interval: 300 }).toBe(200)
    // Not before the first call, still in progress, has created its session.
    expect(Date.now() - began).toBeGreaterThan(5_900)
    expect(sessions()).toHaveLength(1)
  })
})

describe('returning from payment while the provider is unavailable', () => {
  test('Failed to verify payment, and the token once it recovers', async () => {
    await app().standins.control({ webhooks: 'drop' })
    const { browser, start } = await verified()
    const page = await browser.pay((await start()).body.sessionUrl as string)
    for (const fault of ['error', 'refuse', 'garbage'] as const) {
      await app().standins.control({ stripe: fault })
      const answer = await browser.verifySession(page)
      expect(answer.status).toBe(502)
      expect(answer.body).toEqual({
        message: 'Failed to verify payment. Please contact support.',
        code: 'PAYMENT_CHECK_FAILED',
      })
    }
    await app().standins.control({ stripe: 'ok', webhooks: 'deliver' })
    expect((await browser.verifySession(page)).body).toHaveProperty('token')
  })

  test('once the membership has started, the provider is no longer needed', async () => {
    const { browser, start } = await verified()
    const page = await browser.pay((await start()).body.sessionUrl as string)
    await app().drain()
    await app().standins.control({ stripe: 'refuse' })
    expect((await browser.verifySession(page)).body).toHaveProperty('token')
    expect((await browser.get('/api/account/profile')).status).toBe(401)
  })
})

test('provider errors never reach the visitor, and its keys never reach the log', async () => {
  const { start } = await verified()
  await app().standins.control({ stripe: 'error' })
  expect(JSON.stringify((await start()).body)).not.toMatch(/stripe|sk_|price_/i)
  expect(app().logLines.join('')).not.toMatch(/sk_test|whsec_/)
})
