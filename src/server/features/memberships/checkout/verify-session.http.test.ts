import { describe, expect, test } from 'vitest'
import { deactivate, HOUR_MS } from '#tests/support/people.ts'
import { dumpDatabase } from '#tests/support/test-database.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const VERIFY = '/api/stripe/checkout/verify-session'
const INVALID = {
  message: 'This link is invalid or expired. Please return to the checkout page and try again.',
  code: 'PAYMENT_LINK_INVALID',
}

/** A browser on the hosted page. */
async function atTheCheckout(levelKey = 'annual_member') {
  const browser = app().browser()
  const { person, start } = await browser.registerAndStart({ levelKey })
  return { browser, person, sessionUrl: start.body.sessionUrl as string, sessionId: start.body.sessionId as string }
}

async function paid(levelKey?: string) {
  const checkout = await atTheCheckout(levelKey)
  return { ...checkout, page: await checkout.browser.pay(checkout.sessionUrl) }
}

describe('returning from the hosted page (docs/product-rules.md#return-from-payment)', () => {
  test('the browser that paid gets its token once, and the membership is active', async () => {
    const { browser, person, page } = await paid()
    const answer = await browser.verifySession(page)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ready: true,
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      user: {
        _id: expect.any(String) as string,
        username: person.username,
        email: person.email,
        name: { first: 'Meera', last: 'Raghuvanshi' },
      },
    })
    browser.token = answer.body.token as string
    expect((await browser.get('/api/account/profile')).body.subscription).toMatchObject({
      kind: 'RECURRING',
      status: 'ACTIVE',
    })
  })

  test('a reload is ready and has no token', async () => {
    const { browser, page } = await paid()
    await browser.verifySession(page)
    for (let reload = 0; reload < 2; reload++) {
      const answer = await browser.verifySession(page)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ ready: true })
    }
  })

  test('twenty concurrent requests get one token', async () => {
    const { browser, page } = await paid()
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.verifySession(page)))
    expect(answers.map(({ status, body }) => [status, body.ready])).toEqual(Array(20).fill([200, true]))
    expect(answers.filter(({ body }) => 'token' in body)).toHaveLength(1)
  })

  test('another browser sees that it is ready but gets no token; the one that paid still does', async () => {
    const { browser, page } = await paid()
    const stranger = app().browser()
    expect((await stranger.verifySession(page)).body).toEqual({ ready: true })
    stranger.cookies.set('checkout', (browser.cookies.get('checkout') ?? '').replace(/.$/, 'x'))
    expect((await stranger.verifySession(page)).body).toEqual({ ready: true })
    expect((await browser.verifySession(page)).body).toHaveProperty('token')
  })

  test('the cookie of another checkout is no proof for this one', async () => {
    const { page } = await paid()
    const { browser: other } = await atTheCheckout()
    expect((await other.verifySession(page)).body).toEqual({ ready: true })
  })

  test('a bearer of the same account is proof enough, one of another account is not', async () => {
    const owner = app().browser()
    const person = await owner.join({ levelKey: 'medical_student' })
    const { body } = await owner.post('/api/stripe/checkout/start', { levelKey: 'annual_member' })
    const page = await owner.pay(body.sessionUrl as string)
    const other = app().browser()
    await other.join({ levelKey: 'medical_student' })
    expect((await other.verifySession(page)).body).toEqual({ ready: true })
    const laptop = app().browser()
    await laptop.logIn(person.email)
    expect((await laptop.verifySession(page)).body).toMatchObject({ ready: true, user: { email: person.email } })
  })

  test('after an hour it is still ready but issues no token', async () => {
    const { browser, page } = await paid()
    await app().advance(HOUR_MS + 2_000)
    expect((await browser.verifySession(page)).body).toEqual({ ready: true })
  })

  test('within the hour it issues the token', async () => {
    const { browser, page } = await paid()
    await app().advance(HOUR_MS - 60_000)
    expect((await browser.verifySession(page)).body).toHaveProperty('token')
  })

  test('an account deactivated in the meantime gets no token', async () => {
    const { browser, person, page } = await paid()
    await app().drain()
    await deactivate(app(), person.email, 'officer')
    expect((await browser.verifySession(page)).body).toEqual({ ready: true })
  })

  test('before paying it is not ready', async () => {
    const { browser, sessionUrl } = await atTheCheckout()
    const session = app()
      .standins.stripe.sessions()
      .find(({ id }) => sessionUrl.endsWith(id))
    const page = new URL((session?.success_url ?? '').replace('{CHECKOUT_SESSION_ID}', session?.id ?? ''))
    const answer = await browser.verifySession(page)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ready: false })
  })

  test('a declined card leaves it not ready, another card makes it ready', async () => {
    const { browser, sessionUrl } = await atTheCheckout()
    await expect(browser.pay(sessionUrl, '4000000000000002')).rejects.toThrow('Your card was declined.')
    const page = await browser.pay(sessionUrl)
    expect((await browser.verifySession(page)).body).toHaveProperty('token')
  })
})

describe('invalid links', () => {
  test('an unknown session, a wrong nonce, and another session’s nonce are 403 with the sentence', async () => {
    const { browser, page, sessionId } = await paid()
    const { page: otherPage } = await paid()
    const nonce = page.searchParams.get('nonce') ?? ''
    for (const query of [
      { session_id: 'cs_test_unknown', nonce },
      { session_id: sessionId, nonce: `${nonce}x` },
      { session_id: sessionId, nonce: nonce.slice(0, -1) },
      { session_id: sessionId, nonce: 'x' },
      { session_id: sessionId, nonce: otherPage.searchParams.get('nonce') ?? '' },
      { session_id: '__proto__', nonce: '__proto__' },
    ]) {
      const answer = await browser.get(`${VERIFY}?${new URLSearchParams(query)}`)
      expect(answer.status).toBe(403)
      expect(answer.body).toEqual(INVALID)
    }
    expect((await browser.verifySession(page)).body).toHaveProperty('token')
  })

  test('a missing parameter has its own message', async () => {
    const missing = async (query: string) =>
      (await app().browser().get(`${VERIFY}${query}`)).body as { message: string; errors: object }
    expect((await missing('')).message).toBe('Missing session information. Please refresh the page.')
    expect((await missing('?session_id=cs_test_1')).errors).toEqual({
      nonce: 'This link is missing verification information. Please return to the checkout page and try again.',
    })
    expect((await missing('?nonce=abc')).errors).toEqual({
      session_id: 'Missing session information. Please refresh the page.',
    })
    expect((await missing('?session_id=a&session_id=b&nonce=c')).errors).toEqual({
      session_id: 'Missing session information. Please refresh the page.',
    })
  })

  test('a bad bearer is refused: it would be dropped by the browser', async () => {
    const { browser, page } = await paid()
    browser.token = 'not-a-token'
    expect((await browser.verifySession(page)).status).toBe(401)
  })

  test('a nonce has 256 bits and is stored as a hash', async () => {
    const { page } = await paid()
    expect(page.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/)
    expect(await dumpDatabase(app().database)).not.toContain(page.searchParams.get('nonce'))
  })
})

describe('payment status', () => {
  const status = async (sessionId: string) =>
    (await app().browser().get(`/api/stripe/checkout/payment-status?sessionId=${sessionId}`)).body

  test('is ready for every caller once the membership has started, and contains nothing else', async () => {
    const { browser, sessionId, sessionUrl } = await atTheCheckout()
    expect(await status(sessionId)).toEqual({ ready: false })
    await browser.pay(sessionUrl)
    await app().drain()
    expect(await status(sessionId)).toEqual({ ready: true })
  })

  test('asks the provider when every webhook event is lost', async () => {
    await app().standins.control({ webhooks: 'drop' })
    const { browser, sessionId, sessionUrl } = await atTheCheckout()
    await browser.pay(sessionUrl)
    await app().advance(10_000)
    expect(await status(sessionId)).toEqual({ ready: true })
    await app().standins.control({ webhooks: 'deliver' })
  })

  test('asks the provider at most every 8 seconds, however often the page polls', async () => {
    const { sessionId } = await atTheCheckout()
    await app().advance(10_000)
    const asked = () =>
      [...app().standins.stripe.requestCounts]
        .filter(([call]) => call.startsWith('GET /v1/checkout/sessions/'))
        .reduce((sum, [, count]) => sum + count, 0)
    const before = asked()
    for (let time = 0; time < 10; time++) await status(sessionId)
    expect(asked() - before).toBe(1)
  })

  test('an unavailable provider means "not yet"', async () => {
    const { sessionId } = await atTheCheckout()
    await app().advance(10_000)
    await app().standins.control({ stripe: 'error' })
    expect(await status(sessionId)).toEqual({ ready: false })
    await app().standins.control({ stripe: 'ok' })
  })

  test('an unknown session is not ready; a missing one says so', async () => {
    expect(await status('cs_test_unknown')).toEqual({ ready: false })
    const answer = await app().browser().get('/api/stripe/checkout/payment-status')
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual({ sessionId: 'Missing session information. Please refresh the page.' })
  })
})
