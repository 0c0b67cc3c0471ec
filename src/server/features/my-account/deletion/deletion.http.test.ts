import { describe, expect, test } from 'vitest'
import { dumpDatabase } from '#tests/support/test-database.ts'
import { newOfficer, OFFICER_PASSWORD } from '#tests/support/officers.ts'
import { DAY_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const PROFILE = '/api/account/profile'
const PASSWORD = 'monsoon-in-macon'
const DELETED = {
  success: true,
  message: 'Your account has been deactivated. Your membership ends at the close of the current billing period.',
}
const FAILED = {
  message:
    'We could not cancel your membership with our card provider, so your account was not deleted. Please try again.',
  code: 'DELETION_FAILED',
}

async function member(levelKey = 'annual_member') {
  const browser = app().browser()
  const person = await browser.join({ levelKey })
  await app().drain()
  const remove = (password = PASSWORD) => browser.call('DELETE', '/api/account', { password })
  return { browser, remove, ...person }
}

const accountOf = (email: string) =>
  app().database.db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

async function subscriptionOf(email: string) {
  const { id } = await accountOf(email)
  const { stripeSubscriptionId: subscriptionId } = await app()
    .database.db.selectFrom('membership')
    .selectAll()
    .where('accountId', '=', id)
    .executeTakeFirstOrThrow()
  return app()
    .standins.stripe.subscriptions()
    .find((one) => one.id === subscriptionId)
}

const intents = () => app().database.db.selectFrom('accountDeletion').selectAll().execute()

describe('deleting an account (docs/product-rules.md#deleting-an-account)', () => {
  test('cancels renewals at the provider, deactivates the account and sends an email', async () => {
    const { browser, remove, email, username } = await member()
    const phone = app().browser()
    await phone.logIn(email)
    const { status, body } = await remove()
    expect([status, body]).toEqual([200, DELETED])
    expect(await subscriptionOf(email)).toMatchObject({ cancel_at_period_end: true, status: 'active' })
    for (const device of [browser, phone]) {
      const answer = await device.get(PROFILE)
      expect([answer.status, answer.body.code]).toEqual([403, 'ACCOUNT_INACTIVE'])
    }
    for (const name of [email, username]) {
      const right = await app().browser().logIn(name)
      expect([right.status, right.body]).toEqual([403, { code: 'ACCOUNT_INACTIVE', message: 'Account is not active.' }])
      expect((await app().browser().logIn(name, 'some-other-password')).status).toBe(401)
    }
    await app().drain()
    const [message] = app().standins.mails(email)
    expect(message?.subject).toBe('Your account was deleted')
    expect(message?.text).toMatch(/Your membership ends on: \w+ \d+, \d{4}/)
    expect(await intents()).toEqual([])
  })

  test('keeps what bookkeeping requires, and erases the rest', async () => {
    const { remove, email, username } = await member()
    const { id } = await accountOf(email)
    await remove()
    await app().drain()
    const { db } = app().database
    expect(await accountOf(email)).toMatchObject({ firstName: 'Meera', passwordHash: '', deactivatedBy: 'self' })
    expect(await db.selectFrom('payment').select('amount').where('accountId', '=', id).execute()).toHaveLength(1)
    expect(await db.selectFrom('knownBrowser').selectAll().where('accountId', '=', id).execute()).toEqual([])
    expect(await db.selectFrom('pendingRegistration').selectAll().where('id', '=', id).execute()).toEqual([])
    expect(await dumpDatabase(app().database)).not.toContain(`"${username}"`)
  })

  test('releases address and username, so the person can join again with another account', async () => {
    const { remove, email, username } = await member()
    const former = await accountOf(email)
    await remove()
    const back = app().browser()
    await back.join({ email, username, levelKey: 'medical_student' })
    const { profile } = (await back.get(PROFILE)).body
    expect(profile).toMatchObject({ email, username })
    expect(profile._id).not.toBe(former.id)
  })

  test('an account that now has the name takes precedence: the password of the deleted account is wrong', async () => {
    const { remove, email, username } = await member('medical_student')
    await remove()
    await app().browser().join({ email, username, password: 'another-monsoon-1', levelKey: 'medical_student' })
    for (const name of [email, username]) {
      expect((await app().browser().logIn(name)).status).toBe(401)
      expect((await app().browser().logIn(name, 'another-monsoon-1')).status).toBe(200)
    }
  })

  test('after 30 days the names and the password hash are erased', async () => {
    const { remove, email } = await member('medical_student')
    await remove()
    await app().advance(31 * DAY_MS)
    await app().drain()
    expect((await app().browser().logIn(email)).status).toBe(401)
    expect(await app().database.db.selectFrom('departedLogin').selectAll().execute()).toEqual([])
  })

  test.each(['medical_student', 'life_member'])('%s: there is no subscription to cancel', async (levelKey) => {
    const { remove, email } = await member(levelKey)
    await app().standins.control({ stripe: 'refuse' })
    expect((await remove()).status).toBe(200)
    await app().standins.control({ stripe: 'ok' })
    expect(await accountOf(email)).toMatchObject({ deactivatedBy: 'self' })
  })

  test('succeeds if the subscription has already ended', async () => {
    const { remove, email } = await member()
    const subscription = await subscriptionOf(email)
    await app().standins.control({ webhooks: 'drop' })
    const stripe = app().standins.stripe
    stripe.account.subscriptions.put({ ...subscription, status: 'canceled', ended_at: 1 } as never)
    expect((await remove()).status).toBe(200)
    await app().standins.control({ webhooks: 'deliver' })
  })

  test('ends the roles of an officer who deletes the account', async () => {
    const { browser, accountId } = await newOfficer(app(), ['editor'])
    expect((await browser.call('DELETE', '/api/account', { password: OFFICER_PASSWORD })).status).toBe(200)
    const terms = await app()
      .database.db.selectFrom('officerTerm')
      .select('endedAt')
      .where('accountId', '=', accountId)
      .execute()
    expect(terms).toEqual([{ endedAt: expect.any(Number) as number }])
  })

  test('two concurrent requests delete the account once', async () => {
    const { remove, email } = await member()
    const answers = await Promise.all([remove(), remove(), remove()])
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses[0]).toBe(200)
    for (const status of statuses.slice(1)) expect([200, 403, 409]).toContain(status)
    await app().drain()
    const emails = app()
      .standins.mails(email)
      .filter(({ subject }) => subject === 'Your account was deleted')
    expect(emails).toHaveLength(1)
  })
})

describe('a wrong password keeps account and session', () => {
  test.each([
    ['', 'Password is required'],
    ['not it', 'Password is incorrect'],
  ])('%j: %s', async (password, sentence) => {
    const { browser, remove } = await member('medical_student')
    const { status, body } = await remove(password)
    expect(status).toBe(400)
    expect(body).toEqual({ message: sentence, code: 'INVALID_INPUT', errors: { password: sentence } })
    expect((await browser.get(PROFILE)).status).toBe(200)
  })
})

describe('a provider that refuses or does not respond', () => {
  test.each(['refuse', 'error', 'reset', 'garbage', 'limited'] as const)(
    '%s: the account is kept and the person is notified',
    async (stripe) => {
      const { browser, remove, email } = await member()
      await app().standins.control({ stripe })
      const { status, body } = await remove()
      await app().standins.control({ stripe: 'ok' })
      expect([status, body]).toEqual([502, FAILED])
      expect((await browser.get(PROFILE)).status).toBe(200)
      expect((await app().browser().logIn(email)).status).toBe(200)
      expect(await intents()).toEqual([])
      await app().advance(120_000)
      await app().drain()
      expect(await accountOf(email)).toMatchObject({ deactivatedBy: null })
      expect(
        app()
          .standins.mails(email)
          .map(({ subject }) => subject),
      ).not.toContain('Your account was deleted')
    },
  )

  test('a lost response: the account is kept, and the page shows what the provider did', async () => {
    const { browser, remove, email } = await member()
    await app().standins.control({ stripe: 'lostReply', times: 2 } as never)
    const { status } = await remove()
    await app().standins.control({ stripe: 'ok' })
    await app().drain()
    if (status === 200) return expect(await accountOf(email)).toMatchObject({ deactivatedBy: 'self' })
    const { subscription } = (await browser.get(PROFILE)).body
    const ends = (await subscriptionOf(email))?.cancel_at_period_end
    expect(subscription.nextBillDate === null).toBe(ends)
  })

  test('a later attempt succeeds', async () => {
    const { remove, email } = await member()
    await app().standins.control({ stripe: 'refuse' })
    expect((await remove()).status).toBe(502)
    await app().standins.control({ stripe: 'ok' })
    expect((await remove()).status).toBe(200)
    expect(await subscriptionOf(email)).toMatchObject({ cancel_at_period_end: true })
  })
})

describe('an intent left by a crash', () => {
  /** Simulates a crash right after the intent was stored. */
  async function leaveIntent(email: string, askedAt = app().now()) {
    const { db } = app().database
    const { id: accountId } = await accountOf(email)
    const id = `left-${accountId}`
    await db.insertInto('accountDeletion').values({ id, accountId, askedAt }).execute()
    await db
      .insertInto('outbox')
      .values({
        id: `effect-${accountId}`,
        kind: 'account.finish_deletion',
        payload: JSON.stringify({ deletionId: id }),
        dedupeKey: `deletion:${id}`,
        createdAt: askedAt,
        dueAt: askedAt + 60_000,
        leasedUntil: null,
        attempts: 0,
        lastError: null,
        doneAt: null,
        deadAt: null,
      })
      .execute()
  }

  test('is completed by the worker', async () => {
    const { browser, email } = await member()
    await leaveIntent(email)
    await app().drain()
    expect((await browser.get(PROFILE)).status).toBe(200)
    await app().advance(61_000)
    await app().drain()
    expect((await browser.get(PROFILE)).status).toBe(403)
    expect(await subscriptionOf(email)).toMatchObject({ cancel_at_period_end: true })
    expect(app().standins.mails(email)[0]?.subject).toBe('Your account was deleted')
  })

  test('is retried while the provider is unavailable', async () => {
    const { email } = await member()
    await leaveIntent(email)
    await app().standins.control({ stripe: 'error' })
    await app().advance(61_000)
    await app().drain()
    expect(await accountOf(email)).toMatchObject({ deactivatedBy: null })
    await app().standins.control({ stripe: 'ok' })
    await app().advance(DAY_MS / 24)
    await app().drain()
    expect(await accountOf(email)).toMatchObject({ deactivatedBy: 'self' })
  })

  test('while it is recent, another request gets an error; later, another request takes it over', async () => {
    const { remove, email } = await member()
    await leaveIntent(email)
    const { status, body } = await remove()
    expect([status, body.code]).toEqual([409, 'DELETION_UNDER_WAY'])
    await app().advance(61_000)
    expect((await remove()).status).toBe(200)
    expect(await intents()).toEqual([])
  })
})
