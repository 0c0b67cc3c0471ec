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
  message: 'We could not end your membership with our card provider, so your account was kept. Please try again.',
  code: 'DELETION_FAILED',
}

async function member(levelKey = 'annual_member') {
  const browser = app().browser()
  const person = await browser.join({ levelKey })
  await app().settle()
  const remove = (password = PASSWORD) => browser.call('DELETE', '/api/account', { password })
  return { browser, remove, ...person }
}

const accountOf = (email: string) =>
  app().database.db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

async function subscriptionOf(email: string) {
  const { id } = await accountOf(email)
  const { stripe_subscription_id: subscriptionId } = await app()
    .database.db.selectFrom('membership')
    .selectAll()
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow()
  return app()
    .standins.stripe.subscriptions()
    .find((one) => one.id === subscriptionId)
}

const intents = () => app().database.db.selectFrom('account_deletion').selectAll().execute()

describe('deleting an account (docs/product-rules.md#deleting-an-account)', () => {
  test('ends the renewals at the provider, deactivates, and says so by letter', async () => {
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
    await app().settle()
    const [letter] = app().standins.mails(email)
    expect(letter?.subject).toBe('Your account was deleted')
    expect(letter?.text).toMatch(/Your membership ends on: \w+ \d+, \d{4}/)
    expect(await intents()).toEqual([])
  })

  test('leaves what the books require, and erases the rest', async () => {
    const { remove, email, username } = await member()
    const { id } = await accountOf(email)
    await remove()
    await app().settle()
    const { db } = app().database
    expect(await accountOf(email)).toMatchObject({ first_name: 'Meera', password_hash: '', deactivated_by: 'self' })
    expect(await db.selectFrom('payment').select('amount').where('account_id', '=', id).execute()).toHaveLength(1)
    expect(await db.selectFrom('known_browser').selectAll().where('account_id', '=', id).execute()).toEqual([])
    expect(await db.selectFrom('pending_registration').selectAll().where('id', '=', id).execute()).toEqual([])
    expect(await dumpDatabase(app().database)).not.toContain(`"${username}"`)
  })

  test('frees address and username: the person may come back with another account', async () => {
    const { remove, email, username } = await member()
    const former = await accountOf(email)
    await remove()
    const back = app().browser()
    await back.join({ email, username, levelKey: 'medical_student' })
    const { profile } = (await back.get(PROFILE)).body
    expect(profile).toMatchObject({ email, username })
    expect(profile._id).not.toBe(former.id)
  })

  test('whoever has the name now comes before whoever had it: the password of the deleted account is a wrong one then', async () => {
    const { remove, email, username } = await member('medical_student')
    await remove()
    await app().browser().join({ email, username, password: 'another-monsoon-1', levelKey: 'medical_student' })
    for (const name of [email, username]) {
      expect((await app().browser().logIn(name)).status).toBe(401)
      expect((await app().browser().logIn(name, 'another-monsoon-1')).status).toBe(200)
    }
  })

  test('after 30 days nothing is left of its names and password', async () => {
    const { remove, email } = await member('medical_student')
    await remove()
    await app().advance(31 * DAY_MS)
    await app().settle()
    expect((await app().browser().logIn(email)).status).toBe(401)
    expect(await app().database.db.selectFrom('departed_login').selectAll().execute()).toEqual([])
  })

  test.each(['medical_student', 'life_member'])('%s: there is nothing at the provider to end', async (levelKey) => {
    const { remove, email } = await member(levelKey)
    await app().standins.control({ stripe: 'refuse' })
    expect((await remove()).status).toBe(200)
    await app().standins.control({ stripe: 'ok' })
    expect(await accountOf(email)).toMatchObject({ deactivated_by: 'self' })
  })

  test('a subscription that has ended already is no obstacle', async () => {
    const { remove, email } = await member()
    const subscription = await subscriptionOf(email)
    await app().standins.control({ webhooks: 'drop' })
    const stripe = app().standins.stripe
    stripe.account.subscriptions.put({ ...subscription, status: 'canceled', ended_at: 1 } as never)
    expect((await remove()).status).toBe(200)
    await app().standins.control({ webhooks: 'deliver' })
  })

  test('ends the roles of an officer who leaves', async () => {
    const { browser, accountId } = await newOfficer(app(), ['editor'])
    expect((await browser.call('DELETE', '/api/account', { password: OFFICER_PASSWORD })).status).toBe(200)
    const terms = await app()
      .database.db.selectFrom('officer_term')
      .select('ended_at')
      .where('account_id', '=', accountId)
      .execute()
    expect(terms).toEqual([{ ended_at: expect.any(Number) as number }])
  })

  test('sent twice at once it is done once', async () => {
    const { remove, email } = await member()
    const answers = await Promise.all([remove(), remove(), remove()])
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses[0]).toBe(200)
    for (const status of statuses.slice(1)) expect([200, 403, 409]).toContain(status)
    await app().settle()
    const letters = app()
      .standins.mails(email)
      .filter(({ subject }) => subject === 'Your account was deleted')
    expect(letters).toHaveLength(1)
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

describe('a provider that refuses or does not answer', () => {
  test.each(['refuse', 'error', 'reset', 'garbage', 'limited'] as const)(
    '%s: the account is kept and the person told',
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
      await app().settle()
      expect(await accountOf(email)).toMatchObject({ deactivated_by: null })
      expect(
        app()
          .standins.mails(email)
          .map(({ subject }) => subject),
      ).not.toContain('Your account was deleted')
    },
  )

  test('an answer that was lost: kept, and the page tells what the provider did', async () => {
    const { browser, remove, email } = await member()
    await app().standins.control({ stripe: 'lostReply', times: 2 } as never)
    const { status } = await remove()
    await app().standins.control({ stripe: 'ok' })
    await app().settle()
    if (status === 200) return expect(await accountOf(email)).toMatchObject({ deactivated_by: 'self' })
    const { subscription } = (await browser.get(PROFILE)).body
    const ends = (await subscriptionOf(email))?.cancel_at_period_end
    expect(subscription.nextBillDate === null).toBe(ends)
  })

  test('and works when it is tried again', async () => {
    const { remove, email } = await member()
    await app().standins.control({ stripe: 'refuse' })
    expect((await remove()).status).toBe(502)
    await app().standins.control({ stripe: 'ok' })
    expect((await remove()).status).toBe(200)
    expect(await subscriptionOf(email)).toMatchObject({ cancel_at_period_end: true })
  })
})

describe('an intent left by a crash', () => {
  /** As if the process had died right after the intent was written down. */
  async function leaveIntent(email: string, askedAt = app().now()) {
    const { db } = app().database
    const { id: accountId } = await accountOf(email)
    const id = `left-${accountId}`
    await db.insertInto('account_deletion').values({ id, account_id: accountId, asked_at: askedAt }).execute()
    await db
      .insertInto('outbox')
      .values({
        id: `effect-${accountId}`,
        kind: 'account.finish_deletion',
        payload: JSON.stringify({ deletionId: id }),
        dedupe_key: `deletion:${id}`,
        created_at: askedAt,
        due_at: askedAt + 60_000,
        leased_until: null,
        attempts: 0,
        last_error: null,
        done_at: null,
        dead_at: null,
      })
      .execute()
  }

  test('is finished by the worker', async () => {
    const { browser, email } = await member()
    await leaveIntent(email)
    await app().settle()
    expect((await browser.get(PROFILE)).status).toBe(200)
    await app().advance(61_000)
    await app().settle()
    expect((await browser.get(PROFILE)).status).toBe(403)
    expect(await subscriptionOf(email)).toMatchObject({ cancel_at_period_end: true })
    expect(app().standins.mails(email)[0]?.subject).toBe('Your account was deleted')
  })

  test('waits for a provider that is away', async () => {
    const { email } = await member()
    await leaveIntent(email)
    await app().standins.control({ stripe: 'error' })
    await app().advance(61_000)
    await app().settle()
    expect(await accountOf(email)).toMatchObject({ deactivated_by: null })
    await app().standins.control({ stripe: 'ok' })
    await app().advance(DAY_MS / 24)
    await app().settle()
    expect(await accountOf(email)).toMatchObject({ deactivated_by: 'self' })
  })

  test('while it is young, another request hears that it is under way; later, it takes over', async () => {
    const { remove, email } = await member()
    await leaveIntent(email)
    const { status, body } = await remove()
    expect([status, body.code]).toEqual([409, 'DELETION_UNDER_WAY'])
    await app().advance(61_000)
    expect((await remove()).status).toBe(200)
    expect(await intents()).toEqual([])
  })
})
