import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const START = '/api/stripe/checkout/start'
const levelKey = 'medical_student'

async function memberships(email: string) {
  const { db } = app().database
  const account = await db.selectFrom('account').select('id').where('emailKey', '=', email).execute()
  const rows = await db
    .selectFrom('membership')
    .selectAll()
    .where(
      'accountId',
      'in',
      account.map(({ id }) => id),
    )
    .execute()
  return { accounts: account.length, current: rows.filter((row) => row.isCurrent === 1).length, all: rows.length }
}

describe('a level that costs nothing', () => {
  test('is completed immediately with token and user, without calling the card provider', async () => {
    const browser = app().browser()
    const before = app().standins.stripe.sessions().length
    const { person, start } = await browser.registerAndStart({ levelKey })
    expect(start.status).toBe(200)
    expect(start.body).toEqual({
      completed: true,
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      user: {
        _id: expect.any(String) as string,
        username: person.username,
        email: person.email,
        name: { first: 'Meera', last: 'Raghuvanshi' },
      },
    })
    expect(app().standins.stripe.sessions()).toHaveLength(before)
    browser.token = start.body.token as string
    const { body } = await browser.get('/api/account/profile')
    const year = Date.parse(body.subscription.cancelDate as string) - Date.parse(body.subscription.startDate as string)
    expect(body.subscription).toMatchObject({
      kind: 'RECURRING',
      status: 'ACTIVE',
      nextBillDate: null,
      membershipLevel: { unitAmount: 0, isRecurring: true, interval: 'year' },
    })
    expect([365, 366]).toContain(year / DAY_MS)
  })

  test('keeps the id of its registration', async () => {
    const browser = app().browser()
    const registered = await browser.register({ levelKey })
    await browser.verify(registered.person.email)
    const { body } = await browser.post(START, { levelKey, email: registered.person.email })
    expect(body.user._id).toBe(registered.body.userId)
  })

  test('sends one welcome email and no receipt', async () => {
    const { email } = await app().browser().join({ levelKey })
    await app().drain()
    expect(
      app()
        .standins.mails(email)
        .map(({ subject }) => subject),
    ).toEqual(['Welcome to the association', 'Please verify your email address, Meera'])
  })

  test('stores the consent that was given at registration (docs/product-rules.md#legal-pages-have-versions)', async () => {
    const { email } = await app().browser().join({ levelKey })
    const { db } = app().database
    const row = await db
      .selectFrom('consent')
      .innerJoin('account', 'account.id', 'consent.personId')
      .select(['kind', 'version'])
      .where('emailKey', '=', email)
      .execute()
    expect(row).toEqual([{ kind: 'terms', version: '2026-11-01' }])
  })

  test('twenty parallel starts of a registration make one account and one membership, and give one token (docs/product-rules.md#proof-before-a-session)', async () => {
    const browser = app().browser()
    const { person } = await browser.register({ levelKey })
    await browser.verify(person.email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser.post(START, { levelKey, email: person.email })),
    )
    const tokens = answers.filter(({ body }) => 'token' in body)
    expect(tokens).toHaveLength(1)
    for (const { status, body } of answers) {
      expect([200, 409]).toContain(status)
      if (status === 200) expect(body.completed).toBe(true)
      else expect(body.code).toBe('ALREADY_A_MEMBER')
    }
    expect(await memberships(person.email)).toEqual({ accounts: 1, current: 1, all: 1 })
    await app().drain()
    expect(
      app()
        .standins.mails(person.email)
        .filter(({ subject }) => subject?.startsWith('Welcome')),
    ).toHaveLength(1)
  })

  test('after completing, the same browser gets no second token without logging in', async () => {
    const browser = app().browser()
    const { person } = await browser.registerAndStart({ levelKey })
    const again = await browser.post(START, { levelKey, email: person.email })
    expect(again.status).toBe(409)
    expect(again.body).not.toHaveProperty('token')
  })

  test('a repeated request renews it once it has expired, even with twenty concurrent requests', async () => {
    const browser = app().browser()
    const person = await browser.join({ levelKey })
    await app().advance(366 * DAY_MS)
    await browser.logIn(person.email)
    expect((await browser.get('/api/account/profile')).body.subscription.status).toBe('EXPIRED')
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.post(START, { levelKey })))
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200))
    expect(await memberships(person.email)).toEqual({ accounts: 1, current: 1, all: 2 })
    expect((await browser.get('/api/account/profile')).body.subscription.status).toBe('ACTIVE')
  })

  test('a repeated request while it is active is a no-op', async () => {
    const browser = app().browser()
    const person = await browser.join({ levelKey })
    const before = (await browser.get('/api/account/profile')).body.subscription
    await app().advance(DAY_MS)
    const { status, body } = await browser.post(START, { levelKey })
    expect(status).toBe(200)
    expect(body.completed).toBe(true)
    expect((await browser.get('/api/account/profile')).body.subscription).toEqual(before)
    expect((await memberships(person.email)).all).toBe(1)
  })

  test('is rejected for another person’s address without a bearer or grant', async () => {
    const member = await app().browser().join({ levelKey })
    const answer = await app().browser().post(START, { levelKey, email: member.email })
    expect(answer.status).toBe(403)
  })

  test('a student becomes a paying member, and the free term ends', async () => {
    const browser = app().browser()
    const person = await browser.join({ levelKey })
    const { body } = await browser.post(START, { levelKey: 'resident_fellow' })
    await browser.pay(body.sessionUrl as string)
    await app().drain()
    expect((await browser.get('/api/account/profile')).body.subscription).toMatchObject({
      status: 'ACTIVE',
      membershipLevel: { key: 'resident_fellow' },
    })
    expect(await memberships(person.email)).toEqual({ accounts: 1, current: 1, all: 2 })
  })
})
