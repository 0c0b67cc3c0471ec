import { describe, expect, test } from 'vitest'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const START = '/api/stripe/checkout/start'

function sessionsOf(email: string) {
  return app()
    .standins.stripe.sessions()
    .filter((session) => session.customer_email === email)
}

async function subscription(browser: TestBrowser) {
  return (await browser.get('/api/account/profile')).body.subscription
}

describe('one open checkout a person and level (docs/product-rules.md#open-checkouts-are-reused)', () => {
  test('a repeated request returns the same checkout, reused', async () => {
    const browser = app().browser()
    const { person, start } = await browser.registerAndStart()
    for (let time = 0; time < 3; time++) {
      await app().advance(20_000)
      const again = await browser.post(START, { levelKey: 'annual_member', email: person.email })
      expect(again.body).toEqual({ ...start.body, reused: true })
    }
    expect(sessionsOf(person.email)).toHaveLength(1)
  })

  test('another level expires the old one', async () => {
    const browser = app().browser()
    const { person, start } = await browser.registerAndStart()
    const { email } = person
    const other = await browser.post(START, { levelKey: 'life_member', email })
    expect(other.body).toMatchObject({ reused: false })
    expect(sessionsOf(email).map(({ id, status }) => [id, status])).toEqual(
      expect.arrayContaining([
        [start.body.sessionId, 'expired'],
        [other.body.sessionId, 'open'],
      ]),
    )
    const back = await browser.post(START, { levelKey: 'annual_member', email })
    expect(back.body.sessionId).not.toBe(start.body.sessionId)
    expect(sessionsOf(email).filter(({ status }) => status === 'open')).toHaveLength(1)
  })

  test('twenty parallel starts make one session, and all get it', async () => {
    const browser = app().browser()
    const { person } = await browser.register()
    await browser.verify(person.email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser.post(START, { levelKey: 'annual_member', email: person.email })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200))
    expect(new Set(answers.map(({ body }) => body.sessionId as string)).size).toBe(1)
    expect(answers.filter(({ body }) => body.reused === false)).toHaveLength(1)
    expect(sessionsOf(person.email)).toHaveLength(1)
  })

  test('twenty parallel starts of two levels leave one open session', async () => {
    const browser = app().browser()
    const { person } = await browser.register()
    await browser.verify(person.email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        browser.post(START, { levelKey: index % 2 ? 'life_member' : 'annual_member', email: person.email }),
      ),
    )
    expect(answers.filter(({ status }) => status >= 500 && status !== 502)).toEqual([])
    expect(sessionsOf(person.email).filter(({ status }) => status === 'open').length).toBeLessThanOrEqual(1)
    const last = await browser.post(START, { levelKey: 'annual_member', email: person.email })
    expect(last.status).toBe(200)
    expect(sessionsOf(person.email).filter(({ status }) => status === 'open')).toHaveLength(1)
  })

  test('prices and products at the provider are unique, however many checkouts start at once', async () => {
    const lookups = app()
      .standins.stripe.prices()
      .map(({ lookup_key: key }) => key)
    expect(new Set(lookups).size).toBe(lookups.length)
    const products = app()
      .standins.stripe.products()
      .map(({ id }) => id)
    expect(new Set(products).size).toBe(products.length)
  })
})

describe('a level that was already paid for is not sold again', () => {
  test('start after paying, before any event: ALREADY_A_MEMBER, and the membership is active', async () => {
    const browser = app().browser()
    await app().standins.control({ webhooks: 'drop' })
    const { person, start } = await browser.registerAndStart()
    await browser.pay(start.body.sessionUrl as string)
    await app().advance(20_000)
    const again = await browser.post(START, { levelKey: 'annual_member', email: person.email })
    expect(again.status).toBe(409)
    expect(again.body.code).toBe('ALREADY_A_MEMBER')
    expect((await browser.logIn(person.email)).body.subscription).toMatchObject({ status: 'ACTIVE' })
    await app().standins.control({ webhooks: 'deliver' })
  })

  test('choosing another level after a payment whose event was lost: the payment is found first', async () => {
    const browser = app().browser()
    await app().standins.control({ webhooks: 'drop' })
    const { person, start } = await browser.registerAndStart()
    await browser.pay(start.body.sessionUrl as string)
    const other = await browser.post(START, { levelKey: 'life_member', email: person.email })
    expect(other.status).toBe(409)
    expect(sessionsOf(person.email)).toHaveLength(1)
    await app().standins.control({ webhooks: 'deliver' })
  })

  test('a logged-in payer whose event was lost: 409 SUBSCRIPTION_EXISTS, and the level is active', async () => {
    const browser = app().browser()
    await browser.join({ levelKey: 'medical_student' })
    await app().standins.control({ webhooks: 'drop' })
    const start = await browser.post(START, { levelKey: 'annual_member' })
    await browser.pay(start.body.sessionUrl as string)
    await app().advance(20_000)
    const again = await browser.post(START, { levelKey: 'annual_member' })
    expect(again.status).toBe(409)
    expect(again.body.code).toBe('SUBSCRIPTION_EXISTS')
    expect((await subscription(browser)).membershipLevel.key).toBe('annual_member')
    await app().standins.control({ webhooks: 'deliver' })
  })
})

describe('two payments for one membership (docs/product-rules.md#open-checkouts-are-reused)', () => {
  /** Two registrations with one address, each with an open session, as two racing tabs can produce. */
  async function twoSessions(levelKey: string) {
    const [first, second] = [app().browser(), app().browser()]
    const email = `twice-${levelKey}@example.com`
    const one = await first.register({ email, username: `one-${levelKey.slice(0, 10)}`, levelKey })
    await first.verify(email)
    const startOne = await first.post(START, { levelKey, email })
    await second.register({ email, username: `two-${levelKey.slice(0, 10)}`, levelKey })
    await second.verify(email)
    const startTwo = await second.post(START, { levelKey, email })
    expect([startOne.status, startTwo.status]).toEqual([200, 200])
    expect(startOne.body.sessionId).not.toBe(startTwo.body.sessionId)
    return {
      email,
      first,
      second,
      person: one.person,
      urls: [startOne.body.sessionUrl as string, startTwo.body.sessionUrl as string] as const,
    }
  }

  test.each(['annual_member', 'life_member'])(
    'the later %s is canceled and refunded; the officers and the payer are notified',
    async (levelKey) => {
      const { email, first, second, person, urls } = await twoSessions(levelKey)
      const refundsBefore = app().standins.stripe.refunds().length
      await first.verifySession(await first.pay(urls[0]))
      const late = await second.verifySession(await second.pay(urls[1]))
      expect(late.body.ready).toBe(true)
      await app().drain()
      await app().drain()

      const refunds = app().standins.stripe.refunds().slice(refundsBefore)
      expect(refunds).toHaveLength(1)
      expect(refunds[0]).toMatchObject({ amount: levelKey === 'annual_member' ? 10_000 : 100_000, status: 'succeeded' })
      const customers = app()
        .standins.stripe.customers()
        .filter((customer) => 'email' in customer && customer.email === email)
        .map(({ id }) => id)
      const subscriptions = app()
        .standins.stripe.subscriptions()
        .filter(({ customer }) => customers.includes(customer as string))
      expect(subscriptions.filter(({ status }) => status === 'active')).toHaveLength(
        levelKey === 'annual_member' ? 1 : 0,
      )

      const subjects = app()
        .standins.mails(email)
        .map(({ subject }) => subject)
      expect(subjects.filter((subject) => subject === 'We refunded your second payment')).toHaveLength(1)
      expect(subjects.filter((subject) => subject?.startsWith('Receipt'))).toHaveLength(1)
      const alerts = app()
        .standins.mails('office@example.org')
        .filter(({ subject }) => subject === 'Website alert: A membership was paid for twice')
      expect(alerts.length).toBeGreaterThan(0)
      expect((await app().browser().logIn(email, person.password)).body.subscription).toMatchObject({
        status: 'ACTIVE',
        membershipLevel: { key: levelKey },
      })
      await app().advance(16 * 60_000)
    },
  )

  test('processing the second payment ten times refunds it once', async () => {
    const { first, second, urls } = await twoSessions('associate_member')
    const refundsBefore = app().standins.stripe.refunds().length
    await first.verifySession(await first.pay(urls[0]))
    const page = await second.pay(urls[1])
    await Promise.all(Array.from({ length: 10 }, () => second.verifySession(page)))
    for (let time = 0; time < 3; time++) {
      await app().drain()
      await app().advance(16 * 60_000)
    }
    expect(app().standins.stripe.refunds()).toHaveLength(refundsBefore + 1)
  })
})
