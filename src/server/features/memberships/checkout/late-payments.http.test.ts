import { describe, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { FAILS_AT_RENEWAL, membershipLife, type Member } from '#tests/support/membership-life.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { recordDues } from '#tests/support/orders/record-dues.ts'

const app = useTestApp()
const { join, pass, subscriptionOf, subjectsTo, emailTo, rowsOf } = membershipLife(app)
const stripe = () => app().standins.stripe.account

/** A member with a failed renewal, and its open invoice. */
async function owing(): Promise<{ member: Member; subscription: string; invoice: string }> {
  const member = await join({ card: FAILS_AT_RENEWAL })
  await pass(366)
  expect((await subscriptionOf(member)).status).toBe('PAST_DUE')
  const subscription = (await rowsOf(member)).current?.stripeSubscriptionId ?? ''
  return { member, subscription, invoice: String(stripe().subscriptions.get(subscription)?.latest_invoice) }
}

async function payByCheque(member: Member): Promise<void> {
  const { id } = await rowsOf(member)
  const { browser: officer } = await newOfficer(app(), ['treasurer'])
  await recordSecondFactor(app(), officer)
  const paidOn = dayOf(app().now(), app().config.timeZone)
  const { status, faults } = await recordDues(officer, id, { reference: id, paidOn })
  expect([status, faults]).toEqual([200, []])
  await app().drain()
}

/** Pays through the link in Stripe’s email, with another card. */
async function payInvoice(invoice: string): Promise<number> {
  const customer = String(stripe().invoices.get(invoice)?.customer)
  const { id: card } = await call('payment_methods/pm_card_visa/attach', { customer })
  const { status } = await call(`invoices/${invoice}/pay`, { payment_method: String(card) })
  await app().drain()
  await app().drain()
  return status as number
}

async function call(path: string, fields: Record<string, string>): Promise<Record<string, unknown>> {
  const response = await fetch(`${app().standins.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_standin', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
  })
  return { ...((await response.json()) as object), status: response.status }
}

/** Simulates a pending call that ends a subscription. */
async function holdBack(dedupeKey: string): Promise<void> {
  const effect = { id: dedupeKey, kind: 'test', payload: '{}', dedupeKey, attempts: 0 }
  const done = { createdAt: app().now(), dueAt: app().now(), doneAt: app().now() }
  await app()
    .database.db.insertInto('outbox')
    .values({ ...effect, ...done, leasedUntil: null, lastError: null, deadAt: null })
    .execute()
}

const receipts = ({ email }: Member) => subjectsTo(email).filter((subject) => subject.startsWith('Receipt'))

async function expectRefunded(member: Member, subscription: string, invoice: string): Promise<void> {
  const { payments } = await rowsOf(member)
  // Not the last payment: a check counts from noon, which may be in the future.
  const paid = payments.find(({ reference }) => reference === invoice)
  expect(paid).toMatchObject({ purpose: 'renewal', amount: 10_000, amountRefunded: 10_000 })
  expect(stripe().subscriptions.get(subscription)?.status).toBe('canceled')
  expect(subjectsTo('office@example.org')).toContain('Website alert: A membership was paid for twice')
  expect(subjectsTo(member.email)).toContain('We refunded $100 to your card')
}

test('a check after the card failed renews the membership: no one is welcomed who has been a member for a year', async () => {
  const { member } = await owing()
  const { id } = await rowsOf(member)
  const { browser: officer } = await newOfficer(app(), ['treasurer'])
  await recordSecondFactor(app(), officer)
  const dues = { kind: 'dues', email: member.email, levelKey: 'annual_member', method: 'cheque', amount: '100' }
  const rows = [{ ...dues, reference: '101', paidOn: dayOf(app().now(), app().config.timeZone) }]
  const { verdicts } = (await officer.post('/api/console/payments/check', { rows })).body
  expect(verdicts[0]?.sentences[0]).toMatch(/^Renews Annual Member until .*, instead of the card\.$/)
  const before = subjectsTo(member.email).length
  await payByCheque(member)
  expect((await subscriptionOf(member)).status).toBe('ACTIVE')
  expect(subjectsTo(member.email).slice(before)).toEqual([expect.stringMatching(/^Your receipt|^Receipt/)])
  const acts = await app().database.db.selectFrom('audit').select('action').where('subjectId', '=', id).execute()
  expect(acts.map(({ action }) => action).filter((action) => /^membership\.(started|renewed)$/.test(action))).toEqual([
    'membership.started',
    'membership.renewed',
  ])
})

describe('open invoices of an ended subscription can no longer be paid', () => {
  test('replaced by a check', async () => {
    const { member, subscription, invoice } = await owing()
    await payByCheque(member)
    expect(stripe().subscriptions.get(subscription)?.status).toBe('canceled')
    expect(stripe().invoices.get(invoice)?.status).toBe('void')
    expect(await payInvoice(invoice)).toBe(400)
  })

  test('expired', async () => {
    const { member, invoice } = await owing()
    await pass(20)
    expect((await subscriptionOf(member)).status).toBe('EXPIRED')
    expect(stripe().invoices.get(invoice)?.status).toBe('void')
  })
})

describe('a payment after the end is refunded, and the officers are alerted (docs/product-rules.md#open-checkouts-are-reused)', () => {
  test('after the membership was replaced, before its subscription ended', async () => {
    const { member, subscription, invoice } = await owing()
    await holdBack(`end:${subscription}`)
    await payByCheque(member)
    const held = await subscriptionOf(member)
    const before = receipts(member)
    await app().advance(2_000)
    expect(await payInvoice(invoice)).toBe(200)
    await expectRefunded(member, subscription, invoice)
    expect(receipts(member)).toEqual(before)
    expect(await subscriptionOf(member)).toEqual(held)
    expect(emailTo(member.email, /We refunded/).text).toContain('is not affected')
  })

  test('after it expired', async () => {
    const { member, subscription, invoice } = await owing()
    await pass(20)
    const open = stripe().invoices.get(invoice)!
    stripe().invoices.put({ ...open, status: 'open' })
    expect(await payInvoice(invoice)).toBe(200)
    await expectRefunded(member, subscription, invoice)
    expect((await subscriptionOf(member)).status).toBe('EXPIRED')
    expect(emailTo(member.email, /We refunded/).text).toContain('after your membership as Annual Member had ended')
  })

  test('but not a payment made before the end and reported late', async () => {
    const { member, subscription, invoice } = await owing()
    await holdBack(`end:${subscription}`)
    await app().standins.control({ webhooks: 'drop' })
    expect(await payInvoice(invoice)).toBe(200)
    await app().standins.control({ webhooks: 'deliver' })
    await app().advance(2_000)
    await payByCheque(member)
    await app().app.outbox.drain()
    const { payments } = await rowsOf(member)
    stripe().emit('invoice.paid', stripe().invoices.get(invoice)!)
    await app().drain()
    const after = await rowsOf(member)
    expect(after.payments).toHaveLength(payments.length + 1)
    expect(after.payments.filter((row) => row.amountRefunded > 0)).toEqual([])
  })
})
