import { beforeAll, describe, expect, test } from 'vitest'
import type { ConsoleMember } from '#contract/console/member.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import { DISPUTED, membershipLife, type Member } from '#tests/support/membership-life.ts'
import { newOfficer, OFFICER_PASSWORD, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { pass, join, provider, subscriptionOf, emailTo, subjectsTo, rowsOf } = membershipLife(app)
const FOR_LIFE = 100_000
const OWED = 'Website alert: A credited payment was refunded or lost'
const GONE = 'Website alert: A payment used a credit that is no longer valid'
let officer = ''

beforeAll(async () => {
  officer = (await newOfficer(app(), ['president'])).email
})

/** Logs in again, since time passes in these tests. */
async function president(): Promise<TestBrowser> {
  const browser = app().browser()
  await browser.logIn(officer, OFFICER_PASSWORD)
  await recordSecondFactor(app(), browser)
  return browser
}

async function offered(member: Member): Promise<{ credit: number; dueToday: number }> {
  const { changes } = (await member.browser.get('/api/billing/level-changes')).body
  return changes.find(({ levelKey }: { levelKey: string }) => levelKey === 'life_member')
}

async function openPage(member: Member): Promise<string> {
  const { status, body } = await member.browser.post('/api/stripe/checkout/start', { levelKey: 'life_member' })
  expect([status, body.completed]).toEqual([200, false])
  return body.sessionUrl as string
}

async function buyForLife(member: Member): Promise<number> {
  const { credit } = await offered(member)
  await member.browser.verifySession(await member.browser.pay(await openPage(member)))
  await app().drain()
  expect((await subscriptionOf(member)).kind).toBe('ONE_TIME')
  return credit
}

async function refund(member: Member, payment: number) {
  const { id, payments } = await rowsOf(member)
  const path = `/api/console/members/${id}/payments/${payments[payment]?.id}/refund`
  const answer = await (await president()).post(path, { reason: 'Asked for it' })
  await app().drain()
  return answer
}

async function look(member: Member): Promise<ConsoleMember> {
  const { id } = await rowsOf(member)
  return (await (await president()).get(`/api/console/members/${id}`)).body
}

const alerts = (subject: string) => subjectsTo('office@example.org').filter((known) => known === subject).length

/** The amount of a yearly payment that was both refunded and credited. */
async function refundedAndCredited(member: Member): Promise<number> {
  const { payments } = await rowsOf(member)
  const { db } = app().database
  const credits = await db
    .selectFrom('paymentCredit')
    .select('amount')
    .where('paymentId', '=', payments[0]?.id ?? '')
    .where('takenAt', 'is not', null)
    .execute()
  const credited = credits.reduce((sum, { amount }) => sum + amount, 0)
  return (payments[0]?.amountRefunded ?? 0) + credited - (payments[0]?.amount ?? 0)
}

describe('credit toward a lifetime membership', () => {
  test('is zero while its payment is disputed, and counts again once the dispute is won', async () => {
    const member = await join({ card: DISPUTED })
    await pass(1)
    await member.browser.logIn(member.email)
    expect(await offered(member)).toMatchObject({ credit: 0, dueToday: FOR_LIFE })
    const page = await openPage(member)
    expect(app().standins.stripe.sessions().at(-1)).toMatchObject({ amount_total: FOR_LIFE })
    expect(page).toContain('http')
    const dispute = app().standins.stripe.account.disputes.all().at(-1)?.id ?? ''
    await provider(`disputes/${dispute}`, { 'evidence[uncategorized_text]': 'winning_evidence' })
    expect((await offered(member)).credit).toBeGreaterThan(9_000)
  })

  test('is deducted from its payment: only the rest can be refunded, and both receipts name it', async () => {
    const member = await join()
    await pass(73)
    await member.browser.logIn(member.email)
    const credit = await buyForLife(member)
    const [life, yearly] = (await look(member)).payments ?? []
    expect(yearly).toMatchObject({
      refund: { amount: 10_000 - credit, refusal: null },
      credits: [{ amount: credit, receiptNumber: life?.receiptNumber }],
      creditOwed: 0,
    })
    expect(life).toMatchObject({ creditsUsed: [{ amount: credit, receiptNumber: yearly?.receiptNumber }] })
    const own = (await member.browser.get('/api/billing/payments')).body.payments
    expect(own[1].credited).toEqual([{ amount: credit, receiptNumber: life?.receiptNumber }])
    expect(own[0].credit).toEqual([{ amount: credit, receiptNumber: yearly?.receiptNumber }])

    const { status, body } = await refund(member, 0)
    expect(status).toBe(200)
    expect(body.payments[1]).toMatchObject({ amountRefunded: 10_000 - credit, refund: { amount: 0 } })
    expect((await refund(member, 0)).body).toMatchObject({
      code: 'NOT_REFUNDABLE',
      message: 'The rest of this payment was credited toward another membership.',
    })
    expect(await subscriptionOf(member)).toMatchObject({ kind: 'ONE_TIME', status: 'ACTIVE' })
    expect(await refundedAndCredited(member)).toBe(0)
  })

  test('is owed when it is refunded at the provider anyway: the officers are alerted once, and the console shows it', async () => {
    const member = await join()
    await pass(73)
    await member.browser.logIn(member.email)
    const credit = await buyForLife(member)
    const before = alerts(OWED)
    const { payments } = await rowsOf(member)
    const intent = payments[0]?.paymentIntentId ?? ''
    await provider('refunds', { payment_intent: intent, amount: String(10_000 - credit) })
    expect(alerts(OWED)).toBe(before)
    await provider('refunds', { payment_intent: intent })
    await app().drain()
    expect(alerts(OWED)).toBe(before + 1)
    expect(emailTo('office@example.org', /credited payment was refunded or lost/).text).toContain(`$${credit / 100}`)
    expect((await look(member)).payments?.[1]).toMatchObject({ credits: [{ amount: credit }], creditOwed: credit })
  })

  test('is owed after a later dispute is lost', async () => {
    const member = await join({ card: DISPUTED })
    // Simulate a later dispute: it is unknown when the credit is taken.
    const { id } = await rowsOf(member)
    await pass(1)
    await app().database.db.updateTable('payment').set({ disputeState: null }).where('accountId', '=', id).execute()
    await app().standins.control({ webhooks: 'drop' })
    const credit = await buyForLife(member)
    await app().standins.control({ webhooks: 'deliver' })
    const before = alerts(OWED)
    const disputes = app().standins.stripe.account.disputes.all()
    const { payments } = await rowsOf(member)
    const dispute = disputes.find((one) => one.payment_intent === payments[0]?.paymentIntentId)
    await provider(`disputes/${dispute?.id}/close`, {})
    await app().drain()
    expect((await rowsOf(member)).payments[0]?.disputeState).toBe('lost')
    expect(alerts(OWED)).toBe(before + 1)
    expect((await look(member)).payments?.[1]).toMatchObject({ creditOwed: credit })
  })

  test('is released when the lifetime payment is refunded', async () => {
    const member = await join()
    await pass(30)
    await member.browser.logIn(member.email)
    await buyForLife(member)
    expect((await refund(member, 1)).status).toBe(200)
    expect((await look(member)).payments?.[1]).toMatchObject({ refund: { amount: 10_000 }, credits: [] })
    expect((await refund(member, 0)).body.payments[1].amountRefunded).toBe(10_000)
  })
})

describe('concurrency', () => {
  test('a checkout with a credit that is paid after the credited payment was refunded is refunded too', async () => {
    const member = await join()
    await pass(30)
    await member.browser.logIn(member.email)
    const before = alerts(GONE)
    const url = await openPage(member)
    await app().standins.control({ webhooks: 'drop' })
    const success = await member.browser.pay(url)
    const { id, payments } = await rowsOf(member)
    const path = `/api/console/members/${id}/payments/${payments[0]?.id}/refund`
    expect((await (await president()).post(path, { reason: 'Asked for it' })).status).toBe(200)
    await member.browser.verifySession(success)
    await app().drain()
    await app().standins.control({ webhooks: 'deliver' })
    expect((await subscriptionOf(member)).status).toBe('CANCELED')
    expect((await rowsOf(member)).payments).toHaveLength(1)
    expect(emailTo(member.email, /^We refunded your payment$/).text).toContain('current price')
    expect(alerts(GONE)).toBe(before + 1)
    const paid = app().standins.stripe.sessions().at(-1)
    const back = app()
      .standins.stripe.refunds()
      .filter(({ payment_intent: intent }) => intent === paid?.payment_intent)
    expect(back.reduce((sum, { amount }) => sum + amount, 0)).toBe(paid?.amount_total)
  })

  test('a refund expires an unpaid checkout that used its credit', async () => {
    const member = await join()
    await pass(30)
    await member.browser.logIn(member.email)
    const url = await openPage(member)
    await refund(member, 0)
    await expect(member.browser.pay(url)).rejects.toThrow()
  })

  test('a concurrent refund and upgrade never both use the same money', async () => {
    for (let round = 0; round < 4; round++) {
      const member = await join()
      const url = await openPage(member)
      await app().standins.control({ webhooks: 'drop' })
      const success = await member.browser.pay(url)
      const { id, payments } = await rowsOf(member)
      const treasurer = await president()
      const path = `/api/console/members/${id}/payments/${payments[0]?.id}/refund`
      const drain = () => member.browser.verifySession(success)
      const refundIt = () => treasurer.post(path, { reason: 'Asked for it' })
      await Promise.all(round % 2 === 0 ? [refundIt(), drain(), drain()] : [drain(), refundIt(), refundIt()])
      await app().standins.control({ webhooks: 'deliver' })
      await app().drain()
      expect(await refundedAndCredited(member)).toBeLessThanOrEqual(0)
    }
  })

  test('completing the same checkout twenty times takes its credit once', async () => {
    const member = await join()
    const success = await member.browser.pay(await openPage(member))
    await Promise.all(Array.from({ length: 20 }, () => member.browser.verifySession(success)))
    await app().drain()
    const { payments } = await rowsOf(member)
    const { db } = app().database
    const credits = await db
      .selectFrom('paymentCredit')
      .selectAll()
      .where('checkoutId', '=', payments[1]?.checkoutId ?? '')
      .execute()
    expect(credits).toMatchObject([{ paymentId: payments[0]?.id, releasedAt: null }])
    expect(await refundedAndCredited(member)).toBeLessThanOrEqual(0)
  })

  test('all money invariants hold afterwards', async () => {
    await app().drain()
    const { db } = app().database
    const tools = { db, now: app().now(), secrets: createSecrets('x'), mediaDirectory: null }
    for (const { name, findViolations: find } of invariants) {
      if (/credit|payment|order|price|returned/.test(name)) expect([name, await find(tools)]).toEqual([name, []])
    }
  })
})
