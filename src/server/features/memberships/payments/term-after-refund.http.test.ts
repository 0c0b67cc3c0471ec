import { expect, test } from 'vitest'
import { addDays } from '#contract/dates/days.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { membershipLife, second, type Member } from '#tests/support/membership-life.ts'
import { officerWith } from '#tests/support/officers.ts'
import { recordDues } from '#tests/support/orders/record-dues.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const { join, subscriptionOf, emailTo, rowsOf } = membershipLife(app)

const dayIn = (days: number) => addDays(dayOf(app().now(), app().config.timeZone), days)

async function setTerm(member: Member, term: Record<string, unknown>): Promise<void> {
  const { id } = await rowsOf(member)
  const officer = await officerWith(app(), ['secretary'])
  const { version } = (await officer.get(`/api/console/members/${id}`)).body as { version: string }
  const answer = await officer.post(`/api/console/members/${id}/term`, { ...term, version })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  await app().drain()
}

/** A member whose term was paid by check. */
async function paidByCheque(): Promise<Member> {
  const member = await join({ levelKey: 'medical_student' })
  const { id } = await rowsOf(member)
  const officer = await officerWith(app(), ['treasurer', 'secretary'])
  const { status, faults } = await recordDues(officer, id, { reference: member.email, paidOn: dayIn(0) })
  expect([status, faults]).toEqual([200, []])
  await app().drain()
  return member
}

/** One more term, paid by card. */
async function renew({ browser }: Member): Promise<void> {
  const { body } = await browser.post('/api/billing/portal-session')
  await browser.pay(body.url as string)
  await app().drain()
}

/** Refunds the newest card payment as the treasurer. */
async function refund(member: Member): Promise<void> {
  const { id, payments } = await rowsOf(member)
  const payment = payments.findLast((row) => row.paymentIntentId !== null && row.amountRefunded === 0)
  const officer = await officerWith(app(), ['treasurer', 'secretary'])
  const answer = await officer.post(`/api/console/members/${id}/payments/${payment?.id}/refund`, { reason: 'Twice' })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  await app().drain()
}

test('a term renewed twice keeps the first renewal when the second is refunded', async () => {
  const member = await paidByCheque()
  await renew(member)
  const once = await subscriptionOf(member)
  await app().advance(1_000)
  await renew(member)
  const twice = await subscriptionOf(member)
  expect(second(twice.cancelDate) - second(once.cancelDate)).toBeGreaterThan(360 * 86_400)
  await refund(member)
  expect(await subscriptionOf(member)).toEqual(once)
  const email = emailTo(member.email, /We refunded \$100/)
  expect(email.text).toContain('Your membership as Annual Member now ends on')
  expect(email.text).not.toContain('has ended')
  await refund(member)
  const cheque = await subscriptionOf(member)
  expect(cheque).toMatchObject({ status: 'ACTIVE', levelKey: 'annual_member' })
  expect(second(once.cancelDate) - second(cheque.cancelDate)).toBeGreaterThan(360 * 86_400)
})

test('a granted membership does not end when earlier dues are refunded', async () => {
  const member = await paidByCheque()
  await renew(member)
  await setTerm(member, { levelKey: 'life_member', reason: 'Honorary member' })
  await refund(member)
  expect(await subscriptionOf(member)).toMatchObject({ status: 'ACTIVE', kind: 'ONE_TIME', levelKey: 'life_member' })
  expect(emailTo(member.email, /We refunded \$100/).text).toContain('is not affected')
})

test('a term that an officer extended does not end either', async () => {
  const member = await paidByCheque()
  await renew(member)
  await setTerm(member, { levelKey: 'annual_member', reason: 'For the year as chair', endsOn: dayIn(1_200) })
  const granted = await subscriptionOf(member)
  await refund(member)
  expect(await subscriptionOf(member)).toEqual(granted)
})
