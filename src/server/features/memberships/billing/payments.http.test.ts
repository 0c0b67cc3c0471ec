import { PDFDocument } from 'pdf-lib'
import { describe, expect, test } from 'vitest'
import { membershipLife, second } from '#tests/support/membership-life.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const { pass, join, inPortal, rowsOf, subscriptionOf, emailTo } = membershipLife(app)
const YEAR_SECONDS = 365 * 86_400

async function receiptOf(token: string | null, number: string): Promise<Response> {
  return fetch(`${app().url}/api/billing/receipts/${number}`, { headers: { authorization: `Bearer ${token}` } })
}

describe('the payment list', () => {
  test('shows each step with its time, newest payment first', async () => {
    const { browser, email } = await join()
    const { body } = await browser.get('/api/billing/payments')
    expect(body.payments).toHaveLength(1)
    const [payment] = body.payments as Record<string, string>[]
    expect(payment).toMatchObject({
      purpose: 'start',
      levelName: 'Annual Member',
      amount: 10_000,
      currency: 'usd',
      amountRefunded: 0,
      dispute: null,
    })
    const steps = ['chargedAt', 'confirmedAt', 'activatedAt', 'receiptMailedAt'].map((step) => second(payment?.[step]))
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    await pass(366)
    await browser.logIn(email)
    const { body: renewed } = await browser.get('/api/billing/payments')
    expect(renewed.payments.map(({ purpose }: { purpose: string }) => purpose)).toEqual(['renewal', 'start'])
  })

  test('has no receipt time while the mail server is down', async () => {
    await app().standins.control({ mail: 'temporary' })
    const browser = app().browser()
    await app().standins.control({ mail: 'ok' })
    const { start } = await browser.registerAndStart()
    await app().standins.control({ mail: 'temporary' })
    const { body: verified } = await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
    browser.token = verified.token as string
    await app().drain()
    const before = await browser.get('/api/billing/payments')
    expect(before.body.payments[0]).toMatchObject({ receiptMailedAt: null, activatedAt: expect.any(String) as string })
    await app().standins.control({ mail: 'ok' })
    await pass(1)
    const after = await browser.get('/api/billing/payments')
    expect(after.body.payments[0].receiptMailedAt).not.toBeNull()
  })

  test('is empty for a member of a free level', async () => {
    const { browser } = await join({ levelKey: 'medical_student' })
    expect((await browser.get('/api/billing/payments')).body).toEqual({ payments: [] })
    // Values that no database can store are rejected before any query.
    expect((await receiptOf(browser.token, 'R-2026%00')).status).toBe(400)
    expect((await browser.post('/api/billing/portal-session', { levelKey: 'annual\u0000' })).status).toBe(400)
  })
})

describe('a receipt as PDF', () => {
  test('is one page with its number as title, available only to its member', async () => {
    const { browser } = await join()
    const other = await join()
    const { body } = await browser.get('/api/billing/payments')
    const number = body.payments[0].receiptNumber as string
    const response = await receiptOf(browser.token, number)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="receipt-${number}.pdf"`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const pdf = await PDFDocument.load(await response.arrayBuffer())
    expect([pdf.getPageCount(), pdf.getTitle()]).toEqual([1, `Receipt ${number}`])
    for (const [token, wanted] of [
      [other.browser.token, number],
      [browser.token, 'R-2026-NONE'],
    ] as const) {
      const refused = await receiptOf(token, wanted)
      expect(refused.status).toBe(404)
      expect(await refused.json()).toEqual({
        message: 'There is no receipt with this number.',
        code: 'RECEIPT_NOT_FOUND',
      })
    }
  })

  test('is attached to the email', async () => {
    const { email } = await join()
    expect(emailTo(email, /^Receipt/).text).toContain('attached as a PDF')
  })
})

describe('the cost of a level change is shown before paying', () => {
  const changesOf = async (browser: { get(path: string): Promise<{ body: { changes: Change[] } }> }) => {
    const { body } = await browser.get('/api/billing/level-changes')
    return new Map(body.changes.map((change) => [change.levelKey, change]))
  }
  interface Change {
    levelKey: string
    credit: number
    dueToday: number
    next: { amount: number; at: string } | null
  }

  test('from one yearly level to others: shows the charge of today and of the next renewal, which are then charged', async () => {
    const member = await join({ levelKey: 'associate_member' })
    await pass(73)
    await member.browser.logIn(member.email)
    const { nextBillDate } = await subscriptionOf(member)
    const changes = await changesOf(member.browser)
    const dearer = changes.get('annual_member')
    const cheaper = changes.get('resident_fellow')
    // Four fifths of the year remain: $80 minus $40.
    expect(Math.abs((dearer?.dueToday ?? 0) - 4_000)).toBeLessThan(15)
    expect(dearer?.next).toEqual({ amount: 10_000, at: nextBillDate })
    expect(cheaper?.dueToday).toBe(0)
    expect(Math.abs((cheaper?.next?.amount ?? 0) - 500)).toBeLessThan(15)
    expect(changes.has('medical_student')).toBe(false)
    expect(changes.has('associate_member')).toBe(false)
    const price = app()
      .standins.stripe.prices()
      .find(({ lookup_key: key }) => key?.startsWith('annual_member'))
    await inPortal(member, 'plan', { price: price?.id })
    const { payments } = await rowsOf(member)
    expect(payments.map(({ purpose }) => purpose)).toEqual(['start', 'change'])
    expect(Math.abs((payments[1]?.amount ?? 0) - (dearer?.dueToday ?? 0))).toBeLessThanOrEqual(1)
    expect(payments[1]?.levelKey).toBe('annual_member')
  })

  test('from yearly to lifetime: credits the rest of the year once and ends the yearly subscription', async () => {
    const member = await join()
    await pass(73)
    await member.browser.logIn(member.email)
    const change = (await changesOf(member.browser)).get('life_member')
    expect(change).toMatchObject({ next: null })
    expect(Math.abs((change?.credit ?? 0) - 8_000)).toBeLessThan(60)
    expect(change?.dueToday).toBe(100_000 - (change?.credit ?? 0))
    const start = await member.browser.post('/api/stripe/checkout/start', { levelKey: 'life_member' })
    expect(app().standins.stripe.sessions().at(-1)).toMatchObject({ amount_total: change?.dueToday, mode: 'payment' })
    await member.browser.verifySession(await member.browser.pay(start.body.sessionUrl as string))
    await app().drain()
    expect(await subscriptionOf(member)).toMatchObject({ kind: 'ONE_TIME', status: 'ACTIVE', levelKey: 'life_member' })
    const { payments, memberships } = await rowsOf(member)
    expect(payments.at(-1)).toMatchObject({ amount: change?.dueToday, periodEndsAt: null })
    const yearly = memberships.find((row) => row.isCurrent === null)?.stripeSubscriptionId ?? ''
    expect(app().standins.stripe.account.subscriptions.get(yearly)?.status).toBe('canceled')
    expect(emailTo(member.email, /^Receipt/).text).toContain('Credit for the membership it replaces: -$')
    await pass(400)
    expect((await rowsOf(member)).payments).toHaveLength(2)
    expect((await changesOf(await freshBrowser(member.email))).size).toBe(0)
  })

  test('during a provider outage, changes that it prices are left out and the others are shown', async () => {
    const { browser } = await join()
    await app().standins.control({ stripe: 'error' })
    const changes = await changesOf(browser)
    await app().standins.control({ stripe: 'ok' })
    expect([...changes.keys()]).toEqual(['life_member'])
  })

  async function freshBrowser(email: string) {
    const browser = app().browser()
    await browser.logIn(email)
    return browser
  }
})

describe('manual renewal', () => {
  test('of a term paid by check: one payment adds one term to its end, and no card is charged after that', async () => {
    const member = await join({ levelKey: 'medical_student' })
    const { id, current } = await rowsOf(member)
    await app()
      .database.db.updateTable('membership')
      .set({ levelKey: 'annual_member' })
      .where('accountId', '=', id)
      .execute()
    const before = await subscriptionOf(member)
    const { body } = await member.browser.post('/api/billing/portal-session')
    await member.browser.pay(body.url as string)
    await app().drain()
    const after = await subscriptionOf(member)
    expect(after).toMatchObject({ status: 'ACTIVE', nextBillDate: null, startDate: before.startDate })
    expect(second(after.cancelDate) - second(before.cancelDate)).toBeGreaterThanOrEqual(YEAR_SECONDS)
    const renewed = await rowsOf(member)
    expect(renewed.current?.id).toBe(current?.id)
    expect(renewed.payments).toMatchObject([
      { purpose: 'renewal', amount: 10_000, periodEndsAt: renewed.current?.endsAt },
    ])
    expect(
      app()
        .standins.stripe.subscriptions()
        .some(({ metadata }) => metadata['person_id'] === id),
    ).toBe(false)
  })

  test('of a free term: only in its last weeks, starting at its end', async () => {
    const member = await join({ levelKey: 'medical_student' })
    const before = await subscriptionOf(member)
    await member.browser.post('/api/billing/portal-session')
    expect((await subscriptionOf(member)).cancelDate).toBe(before.cancelDate)
    await pass(330)
    const browser = app().browser()
    await browser.logIn(member.email)
    await browser.post('/api/billing/portal-session')
    const after = await subscriptionOf(member)
    expect(second(after.cancelDate) - second(before.cancelDate)).toBeGreaterThanOrEqual(YEAR_SECONDS)
    expect(after.startDate).toBe(before.startDate)
    await browser.post('/api/billing/portal-session')
    expect((await subscriptionOf(member)).cancelDate).toBe(after.cancelDate)
  })
})
