import { beforeAll, describe, expect, test } from 'vitest'
import type { ConsoleMember } from '#contract/console-member.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { invariants } from '#server/watching/invariants/invariants.ts'
import { DISPUTED, membershipLife, type Member } from '#tests/support/membership-life.ts'
import { newOfficer, OFFICER_PASSWORD, prove } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { pass, join, provider, subscriptionOf, letterTo, subjectsTo, rowsOf } = membershipLife(app)
const FOR_LIFE = 100_000
const OWED = 'Website alarm: A credited payment was returned'
const GONE = 'Website alarm: A payment relied on a credit that is gone'
let officer = ''

beforeAll(async () => {
  officer = (await newOfficer(app(), ['president'])).email
})

/** A session of now: time passes in these tests. */
async function president(): Promise<TestBrowser> {
  const browser = app().browser()
  await browser.logIn(officer, OFFICER_PASSWORD)
  await prove(app(), browser)
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
  await app().settle()
  expect((await subscriptionOf(member)).kind).toBe('ONE_TIME')
  return credit
}

async function refund(member: Member, payment: number) {
  const { id, payments } = await rowsOf(member)
  const path = `/api/console/members/${id}/payments/${payments[payment]?.id}/refund`
  const answer = await (await president()).post(path, { reason: 'Asked for it' })
  await app().settle()
  return answer
}

async function look(member: Member): Promise<ConsoleMember> {
  const { id } = await rowsOf(member)
  return (await (await president()).get(`/api/console/members/${id}`)).body
}

const alarms = (subject: string) => subjectsTo('office@example.org').filter((known) => known === subject).length

/** What of a yearly payment was had: as money back and as credit. */
async function hadTwice(member: Member): Promise<number> {
  const { payments } = await rowsOf(member)
  const { db } = app().database
  const credits = await db
    .selectFrom('payment_credit')
    .select('amount')
    .where('payment_id', '=', payments[0]?.id ?? '')
    .where('taken_at', 'is not', null)
    .execute()
  const credited = credits.reduce((sum, { amount }) => sum + amount, 0)
  return (payments[0]?.amount_refunded ?? 0) + credited - (payments[0]?.amount ?? 0)
}

describe('credit toward a lifetime membership', () => {
  test('is none while the payment it would come from is disputed, and counts again once the dispute is won', async () => {
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

  test('is written against its payment: only the rest goes back, and both receipts name it', async () => {
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
      message: 'What is left of this payment was credited toward another membership.',
    })
    expect(await subscriptionOf(member)).toMatchObject({ kind: 'ONE_TIME', status: 'ACTIVE' })
    expect(await hadTwice(member)).toBe(0)
  })

  test('that goes back at the provider all the same is owed: the officers are told once, and the console says it', async () => {
    const member = await join()
    await pass(73)
    await member.browser.logIn(member.email)
    const credit = await buyForLife(member)
    const before = alarms(OWED)
    const { payments } = await rowsOf(member)
    const intent = payments[0]?.payment_intent_id ?? ''
    await provider('refunds', { payment_intent: intent, amount: String(10_000 - credit) })
    expect(alarms(OWED)).toBe(before)
    await provider('refunds', { payment_intent: intent })
    await app().settle()
    expect(alarms(OWED)).toBe(before + 1)
    expect(letterTo('office@example.org', /credited payment was returned/).text).toContain(`$${credit / 100}`)
    expect((await look(member)).payments?.[1]).toMatchObject({ credits: [{ amount: credit }], creditOwed: credit })
  })

  test('is owed after a dispute that began later and was lost', async () => {
    const member = await join({ card: DISPUTED })
    // As if the bank had asked later: nothing of the dispute is known when the credit is taken.
    const { id } = await rowsOf(member)
    await app().settle()
    await app().database.db.updateTable('payment').set({ dispute_state: null }).where('account_id', '=', id).execute()
    await app().standins.control({ webhooks: 'drop' })
    const credit = await buyForLife(member)
    await app().standins.control({ webhooks: 'deliver' })
    const before = alarms(OWED)
    const disputes = app().standins.stripe.account.disputes.all()
    const { payments } = await rowsOf(member)
    const dispute = disputes.find((one) => one.payment_intent === payments[0]?.payment_intent_id)
    await provider(`disputes/${dispute?.id}/close`, {})
    await app().settle()
    expect((await rowsOf(member)).payments[0]?.dispute_state).toBe('lost')
    expect(alarms(OWED)).toBe(before + 1)
    expect((await look(member)).payments?.[1]).toMatchObject({ creditOwed: credit })
  })

  test('is free again when the lifetime payment comes back', async () => {
    const member = await join()
    await pass(30)
    await member.browser.logIn(member.email)
    await buyForLife(member)
    expect((await refund(member, 1)).status).toBe(200)
    expect((await look(member)).payments?.[1]).toMatchObject({ refund: { amount: 10_000 }, credits: [] })
    expect((await refund(member, 0)).body.payments[1].amountRefunded).toBe(10_000)
  })
})

describe('two at once', () => {
  test('a page that was opened with a credit is paid after the payment behind it went back: the new payment goes back too', async () => {
    const member = await join()
    await pass(30)
    await member.browser.logIn(member.email)
    const before = alarms(GONE)
    const url = await openPage(member)
    await app().standins.control({ webhooks: 'drop' })
    const success = await member.browser.pay(url)
    const { id, payments } = await rowsOf(member)
    const path = `/api/console/members/${id}/payments/${payments[0]?.id}/refund`
    expect((await (await president()).post(path, { reason: 'Asked for it' })).status).toBe(200)
    await member.browser.verifySession(success)
    await app().settle()
    await app().standins.control({ webhooks: 'deliver' })
    expect((await subscriptionOf(member)).status).toBe('CANCELED')
    expect((await rowsOf(member)).payments).toHaveLength(1)
    expect(letterTo(member.email, /^Your payment is on its way back/).text).toContain('present price')
    expect(alarms(GONE)).toBe(before + 1)
    const paid = app().standins.stripe.sessions().at(-1)
    const back = app()
      .standins.stripe.refunds()
      .filter(({ payment_intent: intent }) => intent === paid?.payment_intent)
    expect(back.reduce((sum, { amount }) => sum + amount, 0)).toBe(paid?.amount_total)
  })

  test('a page at which nobody has paid is closed with the refund', async () => {
    const member = await join()
    await pass(30)
    await member.browser.logIn(member.email)
    const url = await openPage(member)
    await refund(member, 0)
    await expect(member.browser.pay(url)).rejects.toThrow()
  })

  test('refund and upgrade in the same moment: no cent is had as both', async () => {
    for (let round = 0; round < 4; round++) {
      const member = await join()
      const url = await openPage(member)
      await app().standins.control({ webhooks: 'drop' })
      const success = await member.browser.pay(url)
      const { id, payments } = await rowsOf(member)
      const treasurer = await president()
      const path = `/api/console/members/${id}/payments/${payments[0]?.id}/refund`
      const settle = () => member.browser.verifySession(success)
      const giveBack = () => treasurer.post(path, { reason: 'Asked for it' })
      await Promise.all(round % 2 === 0 ? [giveBack(), settle(), settle()] : [settle(), giveBack(), giveBack()])
      await app().standins.control({ webhooks: 'deliver' })
      await app().settle()
      expect(await hadTwice(member)).toBeLessThanOrEqual(0)
    }
  })

  test('the same page settled twenty times takes its credit once', async () => {
    const member = await join()
    const success = await member.browser.pay(await openPage(member))
    await Promise.all(Array.from({ length: 20 }, () => member.browser.verifySession(success)))
    await app().settle()
    const { payments } = await rowsOf(member)
    const { db } = app().database
    const credits = await db
      .selectFrom('payment_credit')
      .selectAll()
      .where('checkout_id', '=', payments[1]?.checkout_id ?? '')
      .execute()
    expect(credits).toMatchObject([{ payment_id: payments[0]?.id, released_at: null }])
    expect(await hadTwice(member)).toBeLessThanOrEqual(0)
  })

  test('afterwards everything that must hold of money holds', async () => {
    await app().settle()
    const { db } = app().database
    const tools = { db, now: app().now(), secrets: createSecrets('x'), mediaDirectory: null }
    for (const { name, find } of invariants) {
      if (/credit|payment|order|price|returned/.test(name)) expect([name, await find(tools)]).toEqual([name, []])
    }
  })
})
