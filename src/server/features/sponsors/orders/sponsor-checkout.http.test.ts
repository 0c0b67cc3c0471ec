import { afterEach, describe, expect, test } from 'vitest'
import { SPONSOR_PATH, sponsorSessions, sponsorForm, startSponsoring } from '#tests/support/sponsors.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
afterEach(() => app().standins.control({ stripe: 'ok', bot: 'ok' }))

const start = (over?: Record<string, unknown>, visitor?: TestBrowser) => startSponsoring(app(), over, visitor)
const sessionsOf = (email: string) => sponsorSessions(app(), email)

const rowsOf = (email: string) =>
  app().database.db.selectFrom('sponsorship').selectAll().where('email', '=', email).execute()

describe('starting a sponsor checkout', () => {
  test('a tier: the session has its price, our metadata and a short lifetime', async () => {
    const { body, answer } = await start({ phone: '404 555 0100', message: 'Glad to help.' })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(['sessionUrl'])
    const [session, ...more] = sessionsOf(body.email)
    expect(more).toEqual([])
    expect(answer.body.sessionUrl).toBe(session?.url)
    expect(session).toMatchObject({ mode: 'payment', amount_total: 100_000, currency: 'usd' })
    expect(session?.cancel_url).toBe('http://localhost:3000/sponsor/cancel')
    expect(session?.success_url).toMatch(
      /^http:\/\/localhost:3000\/sponsor\/success\?session_id=\{CHECKOUT_SESSION_ID\}&nonce=[\w-]{43}$/,
    )
    expect((session?.expires_at ?? 0) - (session?.created ?? 0)).toBeLessThanOrEqual(31 * 60)
    const [row] = await rowsOf(body.email)
    expect(session?.metadata).toEqual({ checkout_id: row?.id })
    expect(row).toMatchObject({
      state: 'open',
      tierName: 'Silver',
      amount: 100_000,
      phone: '404 555 0100',
      message: 'Glad to help.',
      remarksMinutes: 1,
      reservedTable: 1,
      logoMonths: 12,
      logoUntil: null,
    })
    const nonce = new URL(session?.success_url ?? '').searchParams.get('nonce') ?? ''
    expect(JSON.stringify(row)).not.toContain(nonce)
  })

  test.each([
    ['1234.5', 123_450, 'Custom Amount - $1234.50'],
    [1.1, 110, 'Custom Amount - $1.10'],
    ['100000', 10_000_000, 'Custom Amount - $100000.00'],
  ])('a custom amount: %s', async (amount, cents, tierName) => {
    const { body, answer } = await start({ tierName: 'Custom Amount - $0.01', amount })
    expect(answer.status).toBe(200)
    expect(sessionsOf(body.email)[0]?.amount_total).toBe(cents)
    expect(await rowsOf(body.email)).toMatchObject([{ tierName, amount: cents, logoMonths: null }])
  })

  test('fields that the browser cannot set are ignored', async () => {
    const { body } = await start({ unitAmount: 1, currency: 'inr', quantity: 0, state: 'paid', remarksMinutes: 99 })
    expect(sessionsOf(body.email)[0]).toMatchObject({ amount_total: 100_000, currency: 'usd' })
    expect(await rowsOf(body.email)).toMatchObject([{ state: 'open', currency: 'usd', remarksMinutes: 1 }])
  })
})

describe('invalid input reaches neither the database nor the provider', () => {
  test('all messages at once, in the specified order', async () => {
    const answer = await app().browser().post(SPONSOR_PATH, {})
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      message: 'Full name is required',
      code: 'INVALID_INPUT',
      errors: {
        name: 'Full name is required',
        email: 'Email is required',
        company: 'Company/Organization name is required',
        amount: 'Custom amount is required',
        tierName: 'Please choose a sponsorship tier.',
      },
    })
  })

  const INVALID = { amount: 'Please enter a valid amount (minimum $1.00)' }
  test.each([
    ['0.99', { tierName: 'Custom Amount', amount: 0.99 }, INVALID],
    ['1.005', { tierName: 'Custom Amount', amount: 1.005 }, INVALID],
    ['1e9', { tierName: 'Custom Amount', amount: 1e9 }, INVALID],
    ['-5', { tierName: 'Custom Amount', amount: -5 }, INVALID],
    ['text', { tierName: 'Custom Amount', amount: 'ten' }, INVALID],
    [
      'NaN, which JSON writes as null',
      { tierName: 'Custom Amount', amount: Number.NaN },
      { amount: 'Custom amount is required' },
    ],
    [
      'Silver for 1',
      { amount: 1 },
      { amount: 'This amount does not match the price of the tier. Please choose the tier again.' },
    ],
    [
      'Patron for the price of Silver',
      { tierName: 'Patron' },
      { amount: 'This amount does not match the price of the tier. Please choose the tier again.' },
    ],
    ['an unknown tier', { tierName: 'Bronze' }, { tierName: 'Please choose a sponsorship tier.' }],
    ['another spelling', { tierName: 'silver' }, { tierName: 'Please choose a sponsorship tier.' }],
    ['an address that is none', { email: 'leela@' }, { email: 'Please enter a valid email address' }],
    [
      'a header in the name',
      { name: 'Leela\r\nBcc: all@example.com' },
      { name: 'Please use ordinary characters only.' },
    ],
    ['a header in the company', { company: 'Kaveri\nX: y' }, { company: 'Please use ordinary characters only.' }],
    ['a very long message', { message: 'x'.repeat(2_001) }, { message: 'Message cannot exceed 2,000 characters' }],
  ])('%s', async (_, over, errors) => {
    const before = app().standins.stripe.sessions().length
    const { answer } = await start(over)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual(errors)
    expect(answer.body.message).toBe(Object.values(errors)[0])
    expect(app().standins.stripe.sessions()).toHaveLength(before)
  })

  test('invalid input is not rate limited: after forty attempts the sponsor can still pay', async () => {
    const visitor = app().browser()
    for (let turn = 0; turn < 40; turn++) expect((await start({ amount: 7 }, visitor)).answer.status).toBe(400)
    expect((await start({}, visitor)).answer.status).toBe(200)
  })
})

describe('provider failures', () => {
  test.each(['error', 'refuse', 'reset', 'garbage', 'limited'] as const)(
    '%s: an error within 10 s, and a retry works with a single session',
    async (fault) => {
      const visitor = app().browser()
      const body = sponsorForm()
      await app().standins.control({ stripe: fault })
      const began = Date.now()
      const refused = await visitor.post(SPONSOR_PATH, body)
      expect(Date.now() - began).toBeLessThan(10_000)
      expect(refused.status).toBe(502)
      expect(refused.body).toEqual({ message: 'The card provider is not responding', code: 'CHECKOUT_FAILED' })
      await app().standins.control({ stripe: 'ok' })
      expect((await visitor.post(SPONSOR_PATH, body)).status).toBe(200)
      expect(sessionsOf(body.email)).toHaveLength(1)
    },
  )

  test('every response lost: the session is found again, not created twice', async () => {
    const visitor = app().browser()
    const body = sponsorForm()
    await app().standins.control({ stripe: 'lostReply' })
    expect((await visitor.post(SPONSOR_PATH, body)).status).toBe(502)
    await app().standins.control({ stripe: 'ok' })
    const first = await visitor.post(SPONSOR_PATH, body)
    expect(first.status).toBe(200)
    expect((await visitor.post(SPONSOR_PATH, body)).body).toEqual(first.body)
    expect(sessionsOf(body.email)).toHaveLength(1)
    expect(await rowsOf(body.email)).toHaveLength(1)
  })

  test('a retry too late for a new session: an existing session is found, otherwise a new order is created', async () => {
    for (const fault of ['lostReply', 'refuse'] as const) {
      const visitor = app().browser()
      const body = sponsorForm()
      await app().standins.control({ stripe: fault })
      expect((await visitor.post(SPONSOR_PATH, body)).status).toBe(502)
      await app().standins.control({ stripe: 'ok' })
      await app().advance(5 * 60_000)
      expect((await visitor.post(SPONSOR_PATH, body)).status, fault).toBe(200)
      expect(sessionsOf(body.email), fault).toHaveLength(1)
    }
  })

  test('a double click and two tabs create one session', async () => {
    const visitor = app().browser()
    const body = sponsorForm()
    await visitor.post(SPONSOR_PATH, sponsorForm({ email: 'warm@example.com' }))
    const answers = await Promise.all(Array.from({ length: 4 }, () => visitor.post(SPONSOR_PATH, body)))
    expect(new Set(answers.map(({ body: reply }) => reply.sessionUrl as string)).size).toBe(1)
    expect(sessionsOf(body.email)).toHaveLength(1)
  })

  test('the provider’s messages never reach the visitor, and keys and nonces never reach the log', async () => {
    await app().standins.control({ stripe: 'error' })
    expect(JSON.stringify((await start()).answer.body)).not.toMatch(/stripe|sk_/i)
    expect(app().logLines.join('')).not.toMatch(/sk_test|nonce=/)
  })
})

describe('repeating an order', () => {
  test('after half an hour, when the old session has expired: a new one', async () => {
    const visitor = app().browser()
    const body = sponsorForm()
    const first = await visitor.post(SPONSOR_PATH, body)
    await app().advance(32 * 60_000)
    await app().drain()
    expect(await rowsOf(body.email)).toMatchObject([{ state: 'expired' }])
    const second = await visitor.post(SPONSOR_PATH, body)
    expect(second.status).toBe(200)
    expect(second.body.sessionUrl).not.toBe(first.body.sessionUrl)
  })

  test('shortly before the session expires: a new one', async () => {
    const visitor = app().browser()
    const body = sponsorForm()
    const first = await visitor.post(SPONSOR_PATH, body)
    await app().advance(28 * 60_000)
    const second = await visitor.post(SPONSOR_PATH, body)
    expect(second.body.sessionUrl).not.toBe(first.body.sessionUrl)
    await visitor.pay(first.body.sessionUrl as string)
    await app().drain()
    expect((await rowsOf(body.email)).map(({ state }) => state).sort()).toEqual(['open', 'paid'])
  })

  test('after it was paid: a second sponsorship', async () => {
    const visitor = app().browser()
    const body = sponsorForm()
    await visitor.pay((await visitor.post(SPONSOR_PATH, body)).body.sessionUrl as string)
    await app().advance(11_000)
    expect((await visitor.post(SPONSOR_PATH, body)).status).toBe(200)
    expect(sessionsOf(body.email)).toHaveLength(2)
  })
})
