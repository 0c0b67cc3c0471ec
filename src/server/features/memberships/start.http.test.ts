import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#tests/support/people.ts'
import type { Person, TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const START = '/api/stripe/checkout/start'
const VERIFY_FIRST = { message: 'Please verify your email address before paying.', code: 'VERIFICATION_REQUIRED' }

function start(browser: TestBrowser, person: Person, levelKey = person.levelKey) {
  const { email, firstName, lastName } = person
  return browser.post(START, { levelKey, email, firstName, lastName })
}

/** A browser with a verified registration. */
async function verified(given: Partial<Person> = {}) {
  const browser = app().browser()
  const { person } = await browser.register(given)
  await browser.verify(person.email)
  return { browser, person }
}

describe('starting a checkout without a bearer', () => {
  test('returns the hosted page, and ties the checkout to this browser', async () => {
    const { browser, person } = await verified()
    const answer = await start(browser, person)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      completed: false,
      sessionUrl: expect.stringContaining('/checkout/cs_test_') as string,
      sessionId: expect.stringMatching(/^cs_test_/) as string,
      reused: false,
    })
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^checkout=[^;]+; Max-Age=86400; Path=\/api; HttpOnly; SameSite=Lax$/,
    )
  })

  test('the order at the provider has our price, our addresses and this person’s address', async () => {
    const { browser, person } = await verified()
    const { email } = person
    const poisoned = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      origin: 'https://evil.example',
      referer: 'https://evil.example/',
    }
    delete (poisoned as Partial<typeof poisoned>).host
    const { body } = await browser.call(
      'POST',
      START,
      {
        levelKey: 'annual_member',
        email,
        unitAmount: 1,
        amount: 1,
        currency: 'inr',
        quantity: 0,
        price: 'price_x',
        successUrl: 'https://evil.example',
      },
      poisoned,
    )
    const session = app()
      .standins.stripe.sessions()
      .find(({ id }) => id === body.sessionId)
    expect(session).toMatchObject({
      amount_total: 10_000,
      currency: 'usd',
      mode: 'subscription',
      customer_email: email,
      cancel_url: 'http://localhost:3000/stripe/cancel',
    })
    expect(session?.success_url).toMatch(
      /^http:\/\/localhost:3000\/stripe\/success\?session_id=\{CHECKOUT_SESSION_ID\}&nonce=[\w-]{43}$/,
    )
    expect(JSON.stringify(session)).not.toContain('evil.example')
  })

  test('another level can be chosen after verifying', async () => {
    const { browser, person } = await verified({ levelKey: 'annual_member' })
    const { body } = await start(browser, person, 'life_member')
    expect(
      app()
        .standins.stripe.sessions()
        .find(({ id }) => id === body.sessionId),
    ).toMatchObject({ amount_total: 100_000, mode: 'payment' })
  })

  test.each([
    [
      'who never registered',
      async () => ({ browser: app().browser(), person: (await app().browser().register()).person }),
    ],
    [
      'who registered and did not verify',
      async () => {
        const browser = app().browser()
        return { browser, person: (await browser.register()).person }
      },
    ],
    [
      'who sends another address than the one verified',
      async () => {
        const { browser, person } = await verified()
        return { browser, person: { ...person, email: 'another@example.com' } }
      },
    ],
    [
      'who sends no address',
      async () => {
        const { browser, person } = await verified()
        return { browser, person: { ...person, email: undefined as unknown as string } }
      },
    ],
  ])('a browser %s: 403, and never a token (docs/product-rules.md#proof-before-a-session)', async (_name, make) => {
    const { browser, person } = await make()
    for (const levelKey of ['annual_member', 'medical_student']) {
      const answer = await start(browser, person, levelKey)
      expect(answer.status).toBe(403)
      expect(answer.body).toEqual(VERIFY_FIRST)
    }
  })

  test('the response for a member’s address reveals nothing', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const answer = await start(app().browser(), member)
    expect(answer.status).toBe(403)
    expect(answer.body).toEqual(VERIFY_FIRST)
  })

  test('a forged grant is rejected', async () => {
    const { browser, person } = await verified()
    const { browser: other } = await verified()
    const [id = '', ...seal] = (other.cookies.get('grant') ?? '').split('.')
    for (const forged of [
      id,
      `${id}.9999999999999.`,
      `${(browser.cookies.get('grant') ?? '').split('.')[0]}.${seal.join('.')}`,
      other.cookies.get('registration') ?? '',
    ]) {
      const visitor = app().browser()
      visitor.cookies.set('grant', forged)
      expect((await start(visitor, person)).body).toEqual(VERIFY_FIRST)
    }
  })

  test('an expired registration is reported', async () => {
    const { browser, person } = await verified({ levelKey: 'medical_student' })
    const { token } = Object.fromEntries((await browser.linkInMail(person.email, '/email-verification')).searchParams)
    await app().advance(DAY_MS - 10 * 60_000)
    await browser.post('/api/auth/verify-email', { token, password: person.password })
    await app().advance(20 * 60_000)
    const answer = await start(browser, person)
    expect(answer.status).toBe(410)
    expect(answer.body.message).toBe('Your registration has expired. Please register again.')
  })
})

describe('starting a checkout with a bearer', () => {
  test('is for that account, whatever the body says', async () => {
    const browser = app().browser()
    const person = await browser.join({ levelKey: 'medical_student' })
    const { body } = await browser.post(START, { levelKey: 'annual_member', email: 'another@example.com' })
    const session = app()
      .standins.stripe.sessions()
      .find(({ id }) => id === body.sessionId)
    expect(session?.customer_email).toBe(person.email)
    await browser.pay(body.sessionUrl as string)
    await app().drain()
    const { body: profile } = await browser.get('/api/account/profile')
    expect(profile.subscription.membershipLevel.key).toBe('annual_member')
  })

  test('a bad bearer is refused even when the browser holds a grant', async () => {
    const { browser, person } = await verified()
    browser.token = 'not-a-token'
    expect((await start(browser, person)).status).toBe(401)
  })

  test('a lifetime member cannot buy a level', async () => {
    const browser = app().browser()
    await browser.join({ levelKey: 'life_member' })
    for (const levelKey of ['annual_member', 'life_member', 'medical_student']) {
      const { status, body } = await browser.post(START, { levelKey })
      expect(status).toBe(409)
      expect(body.code).toBe('LIFETIME_MEMBERSHIP')
    }
  })

  test('a member whose membership renews changes it in the portal', async () => {
    const browser = app().browser()
    await browser.join({ levelKey: 'annual_member' })
    for (const levelKey of ['annual_member', 'associate_member', 'medical_student']) {
      const { status, body } = await browser.post(START, { levelKey })
      expect(status).toBe(409)
      expect(body.code).toBe('SUBSCRIPTION_EXISTS')
    }
  })

  test('an expired member can pay again', async () => {
    const browser = app().browser()
    const person = await browser.join({ levelKey: 'medical_student' })
    await app().advance(366 * DAY_MS)
    await browser.logIn(person.email)
    const { body } = await browser.post(START, { levelKey: 'annual_member' })
    await browser.pay(body.sessionUrl as string)
    await app().drain()
    const { body: profile } = await browser.get('/api/account/profile')
    expect(profile.subscription).toMatchObject({ status: 'ACTIVE', membershipLevel: { key: 'annual_member' } })
  })
})

describe('invalid input', () => {
  test.each([
    [{}, { levelKey: 'Please choose a membership.' }],
    [{ levelKey: ' ' }, { levelKey: 'Please choose a membership.' }],
    [{ levelKey: ['annual_member'] }, { levelKey: 'Please choose a membership.' }],
    [{ levelKey: 'annual_member', email: 'x' }, { email: 'Please enter a valid email address' }],
  ])('%j', async (body, errors) => {
    const answer = await app().browser().post(START, body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual(errors)
  })

  test('an unknown level: Plan not found, with and without a bearer', async () => {
    const member = app().browser()
    await member.join({ levelKey: 'medical_student' })
    const { browser } = await verified()
    for (const visitor of [member, browser, app().browser()]) {
      const { status, body } = await visitor.post(START, { levelKey: 'gold_member', email: 'a@b.example' })
      expect(status).toBe(404)
      expect(body).toEqual({ message: 'Plan not found', code: 'PLAN_NOT_FOUND' })
    }
  })
})

test('a checkout is open for 23 hours, then a new one is made', async () => {
  const { browser, person } = await verified()
  const first = await start(browser, person)
  await app().advance(23 * HOUR_MS)
  await browser.verify(person.email)
  const second = await start(browser, person)
  expect(second.status).toBe(200)
  expect(second.body).toMatchObject({ reused: false })
  expect(second.body.sessionId).not.toBe(first.body.sessionId)
})
