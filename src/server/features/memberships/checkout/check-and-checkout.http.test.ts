import { expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { membershipLife, type Member } from '#tests/support/membership-life.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { recordDues } from '#tests/support/orders/record-dues.ts'

const app = useTestApp()
const { join, pass, subscriptionOf, subjectsTo, rowsOf } = membershipLife(app)

/** A member with an expired term and an open checkout. */
async function atCheckout(): Promise<{ member: Member; url: string }> {
  const member = await join({ levelKey: 'medical_student' })
  await pass(370)
  const browser = app().browser()
  await browser.logIn(member.email)
  const { body } = await browser.post('/api/stripe/checkout/start', { levelKey: 'annual_member' })
  await app().advance(2_000)
  return { member, url: body.sessionUrl as string }
}

async function payByCheque(member: Member, levelKey = 'annual_member'): Promise<void> {
  const { id } = await rowsOf(member)
  const { browser: officer } = await newOfficer(app(), ['treasurer'])
  await recordSecondFactor(app(), officer)
  const paidOn = dayOf(app().now(), app().config.timeZone)
  const { status, faults } = await recordDues(officer, id, { levelKey, reference: id, paidOn })
  expect([status, faults]).toEqual([200, []])
}

const live = () =>
  app()
    .standins.stripe.subscriptions()
    .filter(({ status }) => status !== 'canceled')

test('recording a check expires the member’s open card checkout', async () => {
  const { member, url } = await atCheckout()
  await payByCheque(member)
  await app().drain()
  await expect(app().browser().pay(url)).rejects.toThrow('expired')
  const browser = app().browser()
  await browser.logIn(member.email)
  expect((await subscriptionOf(member)).status).toBe('ACTIVE')
  const again = await browser.post('/api/stripe/checkout/start', { levelKey: 'life_member' })
  expect(again.body).toMatchObject({ reused: false })
})

test('a card payment made in addition to a check is refunded, and the term paid by check stays (docs/product-rules.md#open-checkouts-are-reused)', async () => {
  const { member, url } = await atCheckout()
  await app().standins.control({ webhooks: 'drop' })
  await app().browser().pay(url)
  await payByCheque(member)
  const held = await subscriptionOf(member)
  await app().drain()
  await app().drain()
  await app().standins.control({ webhooks: 'deliver' })
  expect(await subscriptionOf(member)).toEqual(held)
  expect(held.nextBillDate).toBeNull()
  expect(live()).toEqual([])
  expect(subjectsTo(member.email)).toContain('We refunded your second payment')
  expect(subjectsTo('office@example.org')).toContain('Website alert: A membership was paid for twice')
  expect((await rowsOf(member)).payments).toHaveLength(1)
})

test('choosing a free level in the meantime does not block the paid level', async () => {
  const { member, url } = await atCheckout()
  const browser = app().browser()
  await browser.logIn(member.email)
  await browser.post('/api/stripe/checkout/start', { levelKey: 'medical_student' })
  const opened = await rowsOf(member)
  expect(opened.current?.levelKey).toBe('medical_student')
  await app().browser().pay(url)
  await app().drain()
  expect(await subscriptionOf(member)).toMatchObject({ status: 'ACTIVE', levelKey: 'annual_member' })
})
