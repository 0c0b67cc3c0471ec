import { afterEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#tests/support/people.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const QUARTER_HOUR_MS = 15 * 60_000
const OFFICERS = 'office@example.org'
let sponsors = 0

async function order(app: TestApp, over: Record<string, unknown> = {}) {
  const visitor = app.browser()
  const email = `giver${++sponsors}@example.com`
  const company = `Company ${sponsors}`
  const body = { name: 'Leela Varghese', email, company, tierName: 'Gold', amount: '2000', ...over }
  const answer = await visitor.post('/api/sponsor/checkout/sponsor', body)
  return { visitor, email, company, sessionUrl: answer.body.sessionUrl as string }
}

async function pay(app: TestApp, over: Record<string, unknown> = {}) {
  const ordered = await order(app, over)
  return { ...ordered, page: await ordered.visitor.pay(ordered.sessionUrl) }
}

const rowOf = (app: TestApp, email: string) =>
  app.database.db.selectFrom('sponsorship').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

async function outcome(app: TestApp, { email, company }: { email: string; company: string }) {
  return {
    state: (await rowOf(app, email)).state,
    thanks: app.standins.mails(email).length,
    notes: app.standins.mails(OFFICERS).filter(({ text }) => text?.includes(`${company}\n`)).length,
  }
}

const ONCE = { state: 'paid', thanks: 1, notes: 1 }

describe('a payment is processed once, however it is reported (docs/product-rules.md#activation)', () => {
  const app = useTestApp()
  afterEach(() => app().standins.control({ webhooks: 'deliver', stripe: 'ok' }))

  test.each(['deliver', 'double', 'shuffle'] as const)('webhook events: %s', async (webhooks) => {
    await app().standins.control({ webhooks })
    const sponsor = await pay(app())
    await app().drain()
    expect(await outcome(app(), sponsor)).toEqual(ONCE)
    expect((await sponsor.visitor.verifySession(sponsor.page)).body).toEqual({ ready: true })
    await app().drain()
    expect(await outcome(app(), sponsor)).toEqual(ONCE)
  })

  test('all webhook events lost, return page opened twice and on another device', async () => {
    await app().standins.control({ webhooks: 'drop' })
    const sponsor = await pay(app())
    for (const browser of [sponsor.visitor, sponsor.visitor, app().browser()]) {
      const answer = await browser.verifySession(sponsor.page)
      expect(answer.body).toEqual({ ready: true })
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    await app().drain()
    expect(await outcome(app(), sponsor)).toEqual(ONCE)
  })

  test('all webhook events lost, return page not opened: the reconciler finds it, and the page still works a day later', async () => {
    await app().standins.control({ webhooks: 'drop' })
    const sponsor = await pay(app())
    await app().advance(QUARTER_HOUR_MS)
    await app().drain()
    await app().drain()
    expect(await outcome(app(), sponsor)).toEqual(ONCE)
    await app().advance(DAY_MS)
    expect((await sponsor.visitor.verifySession(sponsor.page)).body).toEqual({ ready: true })
  })

  test('return page and webhook events at the same instant', async () => {
    const sponsor = await pay(app())
    const [, ...answers] = await Promise.all([
      app().drain(),
      ...Array.from({ length: 5 }, () => sponsor.visitor.verifySession(sponsor.page)),
    ])
    expect(answers.map(({ body }) => body as unknown)).toEqual(Array(5).fill({ ready: true }))
    await app().drain()
    expect(await outcome(app(), sponsor)).toEqual(ONCE)
  })

  test('a webhook event three days late', async () => {
    await app().standins.control({ webhooks: 'delay' })
    const sponsor = await pay(app())
    await app()
      .database.db.updateTable('job')
      .set({ dueAt: app().now() + 9 * DAY_MS })
      .execute()
    await app().advance(3 * DAY_MS)
    await app().drain()
    await app().drain()
    expect(await outcome(app(), sponsor)).toEqual(ONCE)
    await app().database.db.updateTable('job').set({ dueAt: app().now() }).execute()
  })

  test('provider outage during the webhook event and the return page', async () => {
    const sponsor = await pay(app())
    await app().standins.control({ stripe: 'error' })
    await app().drain()
    const answer = await sponsor.visitor.verifySession(sponsor.page)
    expect(answer.status).toBe(502)
    expect(answer.body.code).toBe('PAYMENT_CHECK_FAILED')
    await app().standins.control({ stripe: 'ok' })
    await app().advance(10_000)
    await app().drain()
    expect((await sponsor.visitor.verifySession(sponsor.page)).body).toEqual({ ready: true })
    await app().drain()
    expect(await outcome(app(), sponsor)).toEqual(ONCE)
  })

  test('a session whose response was lost but that was paid anyway: found by the reconciler', async () => {
    await app().standins.control({ webhooks: 'drop', stripe: 'lostReply' })
    const { email, company, visitor } = await order(app())
    await app().standins.control({ stripe: 'ok' })
    const session = app()
      .standins.stripe.sessions()
      .find(({ customer_email }) => customer_email === email)
    await visitor.pay(session?.url ?? '')
    await app().advance(QUARTER_HOUR_MS)
    await app().drain()
    await app().drain()
    expect(await outcome(app(), { email, company })).toEqual(ONCE)
  })

  test('paid in the last second of a session marked as expired', async () => {
    await app().standins.control({ webhooks: 'drop' })
    const sponsor = await pay(app())
    await app()
      .database.db.updateTable('sponsorship')
      .set({ state: 'expired', openKey: null })
      .where('email', '=', sponsor.email)
      .execute()
    expect((await sponsor.visitor.verifySession(sponsor.page)).body).toEqual({ ready: true })
  })

  test('a membership and a sponsorship paid concurrently do not affect each other', async () => {
    const browser = app().browser()
    const { person, start } = await browser.registerAndStart()
    const sponsor = await pay(app(), { email: person.email })
    await browser.pay(start.body.sessionUrl as string)
    await app().drain()
    expect((await rowOf(app(), person.email)).state).toBe('paid')
    const subjects = app()
      .standins.mails(person.email)
      .map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject?.startsWith('Thank you for your sponsorship'))).toHaveLength(1)
    expect(subjects.filter((subject) => subject?.startsWith('Welcome'))).toHaveLength(1)
    expect((await sponsor.visitor.verifySession(sponsor.page)).body).toEqual({ ready: true })
  })
})

describe('access to the return page, and unpaid sessions', () => {
  const app = useTestApp()

  test('a wrong nonce, another order’s nonce, an unknown session: 403 that reveals nothing', async () => {
    const first = await pay(app())
    const second = await pay(app())
    const session = first.page.searchParams.get('session_id') ?? ''
    const stranger = app().browser()
    for (const [id, nonce] of [
      [session, 'x'.repeat(43)],
      [session, second.page.searchParams.get('nonce') ?? ''],
      [session, session],
      ['cs_test_unknown', first.page.searchParams.get('nonce') ?? ''],
    ]) {
      const answer = await stranger.get(
        `/api/stripe/checkout/verify-session?${new URLSearchParams({ session_id: id ?? '', nonce: nonce ?? '' })}`,
      )
      expect(answer.status).toBe(403)
      expect(answer.body.code).toBe('PAYMENT_LINK_INVALID')
    }
  })

  test('an unpaid or expired session is not ready', async () => {
    const { visitor, email } = await order(app())
    const session = app()
      .standins.stripe.sessions()
      .find(({ customer_email }) => customer_email === email)
    const page = new URL((session?.success_url ?? '').replace('{CHECKOUT_SESSION_ID}', session?.id ?? ''))
    expect((await visitor.verifySession(page)).body).toEqual({ ready: false })
    await app().advance(32 * 60_000)
    await app().drain()
    expect((await visitor.verifySession(page)).body).toEqual({ ready: false })
    expect((await rowOf(app(), email)).state).toBe('expired')
    expect(app().standins.mails(email)).toEqual([])
  })

  test('after a declined card, another card can pay', async () => {
    const { visitor, sessionUrl, email } = await order(app())
    await expect(visitor.pay(sessionUrl, '4000000000000002')).rejects.toThrow('The card was not taken')
    await app().drain()
    expect((await rowOf(app(), email)).state).toBe('open')
    await visitor.pay(sessionUrl)
    await app().drain()
    expect((await rowOf(app(), email)).state).toBe('paid')
  })

  test('an amount other than the order’s is not accepted, and the officers are alerted', async () => {
    await using other = await createTestApp()
    const { visitor, sessionUrl, email } = await order(other)
    await other.database.db.updateTable('sponsorship').set({ amount: 199_999 }).where('email', '=', email).execute()
    const page = await visitor.pay(sessionUrl)
    await other.drain()
    expect((await visitor.verifySession(page)).body).toEqual({ ready: false })
    expect((await rowOf(other, email)).state).toBe('open')
    await other.drain()
    expect(other.standins.mails(OFFICERS).map(({ subject }) => subject)).toEqual([
      'Website alert: A payment does not match its order',
    ])
    expect(other.standins.mails(email)).toEqual([])
  })
})

describe('the emails', () => {
  const app = useTestApp()

  test('the sponsor gets thanks with the receipt as a PDF; the officers get the order and its benefits', async () => {
    const sponsor = await pay(app(), { phone: '404 555 0100', message: 'For the gala.\nPlease call.' })
    await app().drain()
    const row = await rowOf(app(), sponsor.email)
    expect(row.receiptNumber).toMatch(/^R-\d{4}-[0-9A-Z]{8}$/)
    const [thanks] = app().standins.mails(sponsor.email)
    expect(thanks?.subject).toBe(`Thank you for your sponsorship (receipt ${row.receiptNumber})`)
    expect(thanks?.text).toContain('Amount: $2,000 USD')
    expect(thanks?.text).toContain('3 minutes of remarks; Reserved table; Logo on the website until')
    expect(thanks?.attachments).toMatchObject([
      { filename: `receipt-${row.receiptNumber}.pdf`, mimeType: 'application/pdf' },
    ])
    const [note] = app().standins.mails(OFFICERS)
    expect(note?.subject).toBe('New sponsor: Gold, $2,000')
    expect(note?.headers['reply-to']).toContain(sponsor.email)
    for (const detail of [sponsor.company, '404 555 0100', 'For the gala.', `sponsors done ${row.id}`]) {
      expect(note?.text).toContain(detail)
    }
  })

  test('a custom amount below every tier has no benefits', async () => {
    const sponsor = await pay(app(), { tierName: 'Custom Amount', amount: 25 })
    await app().drain()
    const [thanks] = app().standins.mails(sponsor.email)
    expect(thanks?.text).toContain('For: Sponsorship: Custom Amount - $25.00')
    expect(thanks?.text).not.toContain('Your benefits:')
  })

  test('every receipt has a unique number', async () => {
    const rows = await app().database.db.selectFrom('sponsorship').select('receiptNumber').execute()
    expect(new Set(rows.map(({ receiptNumber: number }) => number)).size).toBe(rows.length)
  })
})
