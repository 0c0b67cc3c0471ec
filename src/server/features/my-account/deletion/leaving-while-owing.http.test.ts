import { expect, test } from 'vitest'
import { formatLongDate } from '#contract/dates/dates.ts'
import { FAILS_AT_RENEWAL, membershipLife, type Member } from '#tests/support/membership-life.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const { join, pass, subscriptionOf, emailTo, subjectsTo, rowsOf } = membershipLife(app)
const stripe = () => app().standins.stripe.account

/** A member whose renewal could not be charged: in Stripe the unpaid year is already the current period. */
async function owing(): Promise<Member> {
  const member = await join({ card: FAILS_AT_RENEWAL })
  await pass(366)
  expect((await subscriptionOf(member)).status).toBe('PAST_DUE')
  return member
}

async function expectNothingMoreIsCharged(member: Member): Promise<void> {
  const { current, payments } = await rowsOf(member)
  const subscription = stripe().subscriptions.get(current?.stripeSubscriptionId ?? '')
  expect(subscription?.status).toBe('canceled')
  expect(stripe().invoices.get(String(subscription?.latest_invoice))?.status).toBe('void')
  await pass(20)
  expect((await rowsOf(member)).payments).toHaveLength(payments.length)
}

async function byOfficer(member: Member, what: 'disable' | 'stop-renewal'): Promise<void> {
  const { id } = await rowsOf(member)
  const { browser: officer } = await newOfficer(app(), ['president'])
  await recordSecondFactor(app(), officer)
  const { version } = (await officer.get(`/api/console/members/${id}`)).body as { version: string }
  const body = what === 'disable' ? { reason: 'Asked to' } : { reason: 'Asked to', version }
  const answer = await officer.post(`/api/console/members/${id}/${what}`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  await app().drain()
}

test('a member who deletes the account while a renewal is unpaid is not charged for the coming year', async () => {
  const member = await owing()
  const browser = app().browser()
  await browser.logIn(member.email)
  const answer = await browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })
  expect(answer.status).toBe(200)
  await app().drain()
  const today = formatLongDate(app().now(), app().config.timeZone)
  expect(emailTo(member.email, /Your account was deleted/).text).toContain(`Your membership ended on: ${today}`)
  await expectNothingMoreIsCharged(member)
})

test('nor is a member whose account officers disable', async () => {
  const member = await owing()
  await byOfficer(member, 'disable')
  await expectNothingMoreIsCharged(member)
})

test('nor is a member whose renewal an officer stops: the membership ends immediately', async () => {
  const member = await owing()
  await byOfficer(member, 'stop-renewal')
  expect((await subscriptionOf(member)).status).toBe('CANCELED')
  expect(subjectsTo(member.email)).toContain('Your membership has ended')
  await expectNothingMoreIsCharged(member)
})
