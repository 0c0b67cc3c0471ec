import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '#tests/support/people.ts'
import { secretIn } from '#tests/support/emails/secret-in.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'

const app = useTestApp()
const DAY_MS = 24 * HOUR_MS
const ANSWER = { success: true, message: 'Check your email to confirm!' }
let count = 0

/** An unused address. */
const fresh = () => `reader${++count}@example.com`

async function ask(email: string, over: Record<string, unknown> = {}) {
  const visitor = app().browser()
  const recaptchaToken = await visitor.botToken('newsletter_subscribe')
  return visitor.post('/api/newsletter/subscribe', { email, source: 'homepage', recaptchaToken, ...over })
}

const unsubscribe = (email: string) => app().browser().post('/api/newsletter/unsubscribe', { email })
const confirm = (token: string) => app().browser().post('/api/newsletter/confirm', { token })

async function tokenIn(email: string): Promise<string> {
  await app().drain()
  const link = await app().browser().linkInMail(email, '/newsletter/confirm')
  return secretIn(link)
}

async function subscribed(): Promise<string> {
  const email = fresh()
  await ask(email)
  expect((await confirm(await tokenIn(email))).status).toBe(200)
  return email
}

async function stateOf(email: string): Promise<string | undefined> {
  const row = await app()
    .database.db.selectFrom('subscriber')
    .select('state')
    .where('emailKey', '=', nameKey(email))
    .executeTakeFirst()
  return row?.state
}

const suppressions = async () => (await app().database.db.selectFrom('suppression').selectAll().execute()).length
const subjects = (email: string) =>
  app()
    .standins.mails(email)
    .map(({ subject }) => subject)

describe('subscribing', () => {
  test('emails the owner, and the button in the email subscribes', async () => {
    const email = fresh()
    const answer = await ask(email)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(ANSWER)
    await app().drain()
    expect(await stateOf(email)).toBe('pending')
    const token = await tokenIn(email)
    expect((await confirm(token)).body).toEqual({ success: true, message: 'You are subscribed to the newsletter.' })
    expect(await stateOf(email)).toBe('subscribed')
    expect((await confirm(token)).status).toBe(200)
    expect(await stateOf(email)).toBe('subscribed')
  })

  test('opening the link changes nothing', async () => {
    const email = fresh()
    await ask(email)
    await app().drain()
    const link = await app().browser().linkInMail(email, '/newsletter/confirm')
    for (let visit = 0; visit < 3; visit++)
      await app()
        .browser()
        .call('GET', link.pathname + link.search)
    expect(await stateOf(email)).toBe('pending')
  })

  test('a subscriber gets the same response, and an email that says so', async () => {
    const email = await subscribed()
    expect((await ask(email.toUpperCase())).body).toEqual(ANSWER)
    await app().drain()
    expect(subjects(email)[0]).toBe('You are already subscribed')
    expect(await stateOf(email)).toBe('subscribed')
  })

  test('sends at most three emails per hour to an address; the response stays the same', async () => {
    const email = fresh()
    for (let turn = 0; turn < 5; turn++) expect((await ask(email)).body).toEqual(ANSWER)
    await app().drain()
    expect(subjects(email)).toHaveLength(3)
  })

  test('is rejected without a bot check', async () => {
    const answer = await ask(fresh(), { recaptchaToken: 'made-up' })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      code: 'BOT_CHECK_FAILED',
      message: 'Security verification failed. Please try again.',
      success: false,
    })
  })

  test.each([
    ['nothing', '', 'Please enter your email address'],
    ['a blank', '   ', 'Please enter your email address'],
    ['half an address', 'reader@', 'Please enter a valid email address'],
    ['two lines', 'a@example.com\nbcc: b@example.com', 'Please enter a valid email address'],
    ['300 characters', `${'a'.repeat(300)}@example.com`, 'Please enter a valid email address'],
    ['accents', 'zoë@example.com', 'Please enter a valid email address'],
  ])('%s is rejected: %s', async (_, email, sentence) => {
    const answer = await ask(email)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual({ email: sentence })
  })

  test('is limited to thirty per hour from one IP address', async () => {
    const visitor = app().browser()
    for (let turn = 0; turn < 30; turn++) await visitor.post('/api/newsletter/subscribe', { email: '' })
    expect((await visitor.post('/api/newsletter/subscribe', { email: '' })).status).toBe(429)
  })
})

describe('unsubscribing', () => {
  test('takes effect immediately; the response is the same for every address', async () => {
    const email = await subscribed()
    const answers = [await unsubscribe(email), await unsubscribe(email), await unsubscribe(fresh())]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toEqual({ success: true, message: 'You have been unsubscribed from the newsletter.' })
    }
    expect(await stateOf(email)).toBe('left')
  })

  test('emails the owner once, and the link undoes it', async () => {
    const email = await subscribed()
    const before = await suppressions()
    await unsubscribe(email)
    await unsubscribe(email)
    await app().drain()
    expect(subjects(email).filter((subject) => subject === 'You have been unsubscribed')).toHaveLength(1)
    expect(await suppressions()).toBe(before + 1)
    expect((await confirm(await tokenIn(email))).status).toBe(200)
    expect(await stateOf(email)).toBe('subscribed')
    expect(await suppressions()).toBe(before)
  })

  test('sends nothing to an address that was never subscribed', async () => {
    const email = fresh()
    await unsubscribe(email)
    await app().drain()
    expect(subjects(email)).toEqual([])
  })

  test('an old confirmation link cannot undo it', async () => {
    const email = fresh()
    await ask(email)
    const token = await tokenIn(email)
    await confirm(token)
    await app().advance(1_000)
    await unsubscribe(email)
    const answer = await confirm(token)
    expect(answer.status).toBe(410)
    expect(answer.body).toMatchObject({
      code: 'NEWSLETTER_LINK_EXPIRED',
      message: 'This link has expired. Please subscribe again.',
    })
    expect(await stateOf(email)).toBe('left')
  })

  test('signing up again needs a new confirmation, and only that lifts the suppression (docs/product-rules.md#suppression)', async () => {
    const email = await subscribed()
    const before = await suppressions()
    await unsubscribe(email)
    await app().advance(2 * HOUR_MS)
    await ask(email)
    await app().drain()
    expect(await stateOf(email)).toBe('left')
    expect(await suppressions()).toBe(before + 1)
    await confirm(await tokenIn(email))
    expect(await stateOf(email)).toBe('subscribed')
    expect(await suppressions()).toBe(before)
  })
})

describe('a confirmation link', () => {
  test('is rejected if forged, truncated or for another address', async () => {
    const mine = fresh()
    await ask(mine)
    const token = await tokenIn(mine)
    const [id = '', issued = '', mac = ''] = token.split('.')
    for (const bad of [
      'x',
      `${id}.${issued}`,
      `${id}.${issued}.${mac}x`,
      `${id}x.${issued}.${mac}`,
      `${id}.zzzz.${mac}`,
      `${token}.x`,
    ])
      expect((await confirm(bad)).status, bad).toBe(410)
    expect(await stateOf(mine)).toBe('pending')
  })

  test('expires after 30 days, and the pending subscription is deleted', async () => {
    const email = fresh()
    await ask(email)
    const token = await tokenIn(email)
    await app().advance(30 * DAY_MS + 1_000)
    expect((await confirm(token)).status).toBe(410)
    await app().advance(7 * HOUR_MS)
    await app().drain()
    expect(await stateOf(email)).toBeUndefined()
  })
})
