import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#tests/support/people.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const QUARTER_HOUR_MS = 15 * 60_000

/** A person's memberships, payments and emails. */
async function outcome(app: TestApp, email: string) {
  const { db } = app.database
  const account = await db.selectFrom('account').selectAll().where('emailKey', '=', email).executeTakeFirst()
  const memberships = await db
    .selectFrom('membership')
    .selectAll()
    .where('accountId', '=', account?.id ?? '')
    .execute()
  const payments = await db
    .selectFrom('payment')
    .selectAll()
    .where('accountId', '=', account?.id ?? '')
    .execute()
  const emails = app.standins.mails(email).map(({ subject }) => subject?.replace(/^Receipt .*/, 'Receipt'))
  return {
    memberships: memberships.map(({ isCurrent, levelKey }) => [isCurrent, levelKey]),
    payments: payments.map(({ amount, currency }) => [amount, currency]),
    emails: emails.sort(),
  }
}

const ONCE = {
  memberships: [[1, 'annual_member']],
  payments: [[10_000, 'usd']],
  emails: ['Please verify your email address, Meera', 'Receipt', 'Welcome to the association'],
}

async function payWithoutReturning(app: TestApp, levelKey = 'annual_member') {
  const browser = app.browser()
  const { person, start } = await browser.registerAndStart({ levelKey })
  return { browser, person, page: await browser.pay(start.body.sessionUrl as string) }
}

describe('a payment starts a membership once, however we learn of it (docs/product-rules.md#activation)', () => {
  const app = useTestApp()

  test.each(['deliver', 'double', 'shuffle'] as const)('webhook events: %s', async (webhooks) => {
    await app().standins.control({ webhooks })
    const { person } = await payWithoutReturning(app())
    await app().drain()
    expect(await outcome(app(), person.email)).toEqual(ONCE)
    await app().standins.control({ webhooks: 'deliver' })
  })

  test('every webhook event lost, return page opened', async () => {
    await app().standins.control({ webhooks: 'drop' })
    const { browser, person, page } = await payWithoutReturning(app())
    expect((await browser.verifySession(page)).body.ready).toBe(true)
    await app().drain()
    expect(await outcome(app(), person.email)).toEqual(ONCE)
    await app().standins.control({ webhooks: 'deliver' })
  })

  test('every webhook event lost, return page never opened: the reconciler finds it within 15 minutes', async () => {
    await app().standins.control({ webhooks: 'drop' })
    const { browser, person, page } = await payWithoutReturning(app())
    await app().advance(QUARTER_HOUR_MS)
    await app().drain()
    await app().drain()
    expect(await outcome(app(), person.email)).toEqual(ONCE)
    await app().standins.control({ webhooks: 'deliver' })
    expect((await browser.verifySession(page)).body).toHaveProperty('token')
  })

  test('return page and webhook events at the same time', async () => {
    const { browser, person, page } = await payWithoutReturning(app())
    const [, ...answers] = await Promise.all([
      app().drain(),
      ...Array.from({ length: 5 }, () => browser.verifySession(page)),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(5).fill(200))
    await app().drain()
    expect(await outcome(app(), person.email)).toEqual(ONCE)
  })

  test('a webhook event three days late, after the registration would have expired', async () => {
    await app().standins.control({ webhooks: 'delay' })
    const { person } = await payWithoutReturning(app())
    await app()
      .database.db.updateTable('job')
      .set({ dueAt: app().now() + 9 * DAY_MS })
      .execute()
    await app().advance(3 * DAY_MS)
    await app().drain()
    await app().drain()
    expect(await outcome(app(), person.email)).toEqual(ONCE)
    await app().standins.control({ webhooks: 'deliver' })
    await app().database.db.updateTable('job').set({ dueAt: app().now() }).execute()
  })

  test('the provider is unavailable when the webhook event arrives: it is retried', async () => {
    const { person } = await payWithoutReturning(app())
    await app().standins.control({ stripe: 'error' })
    await app().drain()
    await app().standins.control({ stripe: 'ok' })
    await app().advance(10_000)
    await app().drain()
    await app().drain()
    expect(await outcome(app(), person.email)).toEqual(ONCE)
  })

  test('an expired checkout starts nothing, and the person can start again', async () => {
    const browser = app().browser()
    const { person, start } = await browser.registerAndStart()
    await app().advance(DAY_MS)
    await app().drain()
    expect(
      app()
        .standins.stripe.sessions()
        .find(({ id }) => id === start.body.sessionId)?.status,
    ).toBe('expired')
    expect((await outcome(app(), person.email)).memberships).toEqual([])
    await browser.verify(person.email, { password: person.password })
    const again = await browser.post('/api/stripe/checkout/start', { levelKey: 'annual_member', email: person.email })
    expect(again.body).toMatchObject({ reused: false })
  })

  test('ten people who pay at once are ten members', async () => {
    const waiting = []
    for (let count = 0; count < 10; count++) {
      const browser = app().browser()
      waiting.push({ browser, ...(await browser.registerAndStart({ levelKey: 'associate_member' })) })
    }
    await Promise.all(waiting.map(({ browser, start }) => browser.pay(start.body.sessionUrl as string)))
    await app().drain()
    for (const { person } of waiting) {
      expect((await outcome(app(), person.email)).memberships).toEqual([[1, 'associate_member']])
    }
  })

  test('the receipt’s number is unique and its amount is what was paid, in cents', async () => {
    const payments = await app().database.db.selectFrom('payment').selectAll().execute()
    expect(new Set(payments.map(({ receiptNumber: number }) => number)).size).toBe(payments.length)
    for (const payment of payments) expect(Number.isInteger(payment.amount)).toBe(true)
  })
})

describe('a mismatch starts nothing', () => {
  test('an amount other than the one ordered starts no membership and alerts the officers', async () => {
    await using app = await createTestApp()
    const browser = app.browser()
    const { person, start } = await browser.registerAndStart()
    await app.database.db
      .updateTable('checkout')
      .set({ amount: 9_999 })
      .where('stripeSessionId', '=', start.body.sessionId as string)
      .execute()
    const page = await browser.pay(start.body.sessionUrl as string)
    await app.drain()
    expect((await browser.verifySession(page)).body).toEqual({ ready: false })
    expect((await outcome(app, person.email)).memberships).toEqual([])
    await app.drain()
    expect(app.standins.mails('office@example.org').map(({ subject }) => subject)).toEqual([
      'Website alert: A payment does not match its order',
    ])
  })
})

describe('buying a lifetime level (docs/product-rules.md#one-time-levels)', () => {
  const app = useTestApp()

  test('ends the yearly subscription it replaces at the provider, and is shown as ONE_TIME', async () => {
    const browser = app().browser()
    await browser.join({ levelKey: 'annual_member' })
    const { body: start } = await browser.post('/api/stripe/checkout/start', { levelKey: 'life_member' })
    const page = await browser.pay(start.sessionUrl as string)
    await browser.verifySession(page)
    await app().drain()
    const { body } = await browser.get('/api/account/profile')
    expect(body.subscription).toMatchObject({
      kind: 'ONE_TIME',
      status: 'ACTIVE',
      nextBillDate: null,
      cancelDate: null,
      membershipLevel: { key: 'life_member' },
    })
    expect(
      app()
        .standins.stripe.subscriptions()
        .filter(({ status }) => status === 'active'),
    ).toEqual([])
    await app().advance(800 * DAY_MS)
    await app().drain()
    await browser.logIn(body.profile.email as string)
    expect((await browser.get('/api/account/profile')).body.subscription).toMatchObject({
      kind: 'ONE_TIME',
      status: 'ACTIVE',
    })
  })

  test('ends the subscription eventually when the provider is unavailable', async () => {
    const browser = app().browser()
    const person = await browser.join({ levelKey: 'annual_member' })
    const { body: start } = await browser.post('/api/stripe/checkout/start', { levelKey: 'life_member' })
    await browser.verifySession(await browser.pay(start.sessionUrl as string))
    await app().standins.control({ stripe: 'error' })
    await app().drain()
    const active = () =>
      app()
        .standins.stripe.subscriptions()
        .filter(({ status }) => status === 'active')
    await app().standins.control({ stripe: 'ok' })
    await app().advance(20_000)
    await app().drain()
    expect(active()).toEqual([])
    expect(
      app()
        .standins.mails(person.email)
        .filter(({ subject }) => subject?.startsWith('Receipt')),
    ).toHaveLength(2)
  })
})
