import { describe, expect, test } from 'vitest'
import { dayOf } from '#contract/dates.ts'
import { FAILS_AT_RENEWAL, membershipLife, type Member } from '#tests/support/membership-life.ts'
import { newOfficer, prove } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const { join, pass, subscriptionOf, subjectsTo, letterTo, rowsOf } = membershipLife(app)
const stripe = () => app().standins.stripe.account

/** A member whose renewal could not be charged, with what is open for it. */
async function owing(): Promise<{ member: Member; subscription: string; invoice: string }> {
  const member = await join({ card: FAILS_AT_RENEWAL })
  await pass(366)
  expect((await subscriptionOf(member)).status).toBe('PAST_DUE')
  const subscription = (await rowsOf(member)).current?.stripe_subscription_id ?? ''
  return { member, subscription, invoice: String(stripe().subscriptions.get(subscription)?.latest_invoice) }
}

async function payByCheque(member: Member): Promise<void> {
  const { id } = await rowsOf(member)
  const { browser: officer } = await newOfficer(app(), ['treasurer'])
  await prove(app(), officer)
  const { version } = (await officer.get(`/api/console/members/${id}`)).body as { version: string }
  const paidOn = dayOf(app().now(), app().config.timeZone)
  const cheque = { levelKey: 'annual_member', method: 'cheque', reference: id, amount: '100', paidOn, version }
  const answer = await officer.post(`/api/console/members/${id}/payments`, cheque)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  await app().settle()
}

/** By the link in Stripe’s letter, with another card. */
async function payInvoice(invoice: string): Promise<number> {
  const customer = String(stripe().invoices.get(invoice)?.customer)
  const { id: card } = await call('payment_methods/pm_card_visa/attach', { customer })
  const { status } = await call(`invoices/${invoice}/pay`, { payment_method: String(card) })
  await app().settle()
  await app().settle()
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

/** As if the call that ends a subscription were still waiting its turn. */
async function holdBack(dedupeKey: string): Promise<void> {
  const effect = { id: dedupeKey, kind: 'test', payload: '{}', dedupe_key: dedupeKey, attempts: 0 }
  const done = { created_at: app().now(), due_at: app().now(), done_at: app().now() }
  await app()
    .database.db.insertInto('outbox')
    .values({ ...effect, ...done, leased_until: null, last_error: null, dead_at: null })
    .execute()
}

const receipts = ({ email }: Member) => subjectsTo(email).filter((subject) => subject.startsWith('Receipt'))

async function expectGivenBack(member: Member, subscription: string, invoice: string): Promise<void> {
  const { payments } = await rowsOf(member)
  // Not the last of them: a check counts from noon, which may be still to come.
  const paid = payments.find(({ reference }) => reference === invoice)
  expect(paid).toMatchObject({ purpose: 'renewal', amount: 10_000, amount_refunded: 10_000 })
  expect(stripe().subscriptions.get(subscription)?.status).toBe('canceled')
  expect(subjectsTo('office@example.org')).toContain('Website alarm: A membership was paid for twice')
  expect(subjectsTo(member.email)).toContain('We returned $100 to your card')
}

describe('what is open of a subscription that ended can no longer be paid', () => {
  test('a check took its place', async () => {
    const { member, subscription, invoice } = await owing()
    await payByCheque(member)
    expect(stripe().subscriptions.get(subscription)?.status).toBe('canceled')
    expect(stripe().invoices.get(invoice)?.status).toBe('void')
    expect(await payInvoice(invoice)).toBe(400)
  })

  test('it lapsed', async () => {
    const { member, invoice } = await owing()
    await pass(20)
    expect((await subscriptionOf(member)).status).toBe('EXPIRED')
    expect(stripe().invoices.get(invoice)?.status).toBe('void')
  })
})

describe('what is paid after the end goes back, and the officers hear of it (docs/product-rules.md#open-checkouts-are-reused)', () => {
  test('the membership was replaced, and its subscription not ended yet', async () => {
    const { member, subscription, invoice } = await owing()
    await holdBack(`end:${subscription}`)
    await payByCheque(member)
    const held = await subscriptionOf(member)
    const before = receipts(member)
    await app().advance(2_000)
    expect(await payInvoice(invoice)).toBe(200)
    await expectGivenBack(member, subscription, invoice)
    expect(receipts(member)).toEqual(before)
    expect(await subscriptionOf(member)).toEqual(held)
    expect(letterTo(member.email, /We returned/).text).toContain('is not affected')
  })

  test('it had lapsed', async () => {
    const { member, subscription, invoice } = await owing()
    await pass(20)
    const open = stripe().invoices.get(invoice)!
    stripe().invoices.put({ ...open, status: 'open' })
    expect(await payInvoice(invoice)).toBe(200)
    await expectGivenBack(member, subscription, invoice)
    expect((await subscriptionOf(member)).status).toBe('EXPIRED')
    expect(letterTo(member.email, /We returned/).text).toContain(
      'It came after your membership as Annual Member had ended',
    )
  })

  test('but not what was paid before, and is heard of late', async () => {
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
    await app().settle()
    const after = await rowsOf(member)
    expect(after.payments).toHaveLength(payments.length + 1)
    expect(after.payments.filter((row) => row.amount_refunded > 0)).toEqual([])
  })
})
