import { expect, test } from 'vitest'
import { dayOf } from '#contract/dates.ts'
import { membershipLife, type Member } from '#tests/support/membership-life.ts'
import { newOfficer, prove } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const { join, pass, subscriptionOf, subjectsTo, rowsOf } = membershipLife(app)

/** Somebody whose term is over, at the page where the next one is paid. */
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
  await prove(app(), officer)
  const { version } = (await officer.get(`/api/console/members/${id}`)).body as { version: string }
  const paidOn = dayOf(app().now(), app().config.timeZone)
  const cheque = { levelKey, method: 'cheque', reference: id, amount: '100', paidOn, version }
  const answer = await officer.post(`/api/console/members/${id}/payments`, cheque)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}

const live = () =>
  app()
    .standins.stripe.subscriptions()
    .filter(({ status }) => status !== 'canceled')

test('a check closes the page at which its member was about to pay by card', async () => {
  const { member, url } = await atCheckout()
  await payByCheque(member)
  await app().settle()
  await expect(app().browser().pay(url)).rejects.toThrow('expired')
  const browser = app().browser()
  await browser.logIn(member.email)
  expect((await subscriptionOf(member)).status).toBe('ACTIVE')
  const again = await browser.post('/api/stripe/checkout/start', { levelKey: 'life_member' })
  expect(again.body).toMatchObject({ reused: false })
})

test('a card that was charged beside the check goes back, and the check’s year stays (docs/product-rules.md#open-checkouts-are-reused)', async () => {
  const { member, url } = await atCheckout()
  await app().standins.control({ webhooks: 'drop' })
  await app().browser().pay(url)
  await payByCheque(member)
  const held = await subscriptionOf(member)
  await app().settle()
  await app().settle()
  await app().standins.control({ webhooks: 'deliver' })
  expect(await subscriptionOf(member)).toEqual(held)
  expect(held.nextBillDate).toBeNull()
  expect(live()).toEqual([])
  expect(subjectsTo(member.email)).toContain('Your second payment is on its way back')
  expect(subjectsTo('office@example.org')).toContain('Website alarm: A membership was paid for twice')
  expect((await rowsOf(member)).payments).toHaveLength(1)
})

test('a free level taken at that moment keeps nobody from what they pay for', async () => {
  const { member, url } = await atCheckout()
  const browser = app().browser()
  await browser.logIn(member.email)
  await browser.post('/api/stripe/checkout/start', { levelKey: 'medical_student' })
  const opened = await rowsOf(member)
  expect(opened.current?.level_key).toBe('medical_student')
  await app().browser().pay(url)
  await app().settle()
  expect(await subscriptionOf(member)).toMatchObject({ status: 'ACTIVE', levelKey: 'annual_member' })
})
