import { describe, expect, test } from 'vitest'
import { FAILS_AT_RENEWAL, membershipLife, second } from '#tests/support/membership-life.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const { pass, join, subscriptionOf, inPortal } = membershipLife(app)

/** February 29 becomes 28. */
function yearAfter(instant: string): string {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCFullYear(date.getUTCFullYear() + 1)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.toISOString()
}

describe('the life cycle of a yearly membership (docs/product-rules.md#membership-status)', () => {
  test('a renewal that succeeds moves the next billing date a year on', async () => {
    const member = await join()
    const first = await subscriptionOf(member)
    expect(first).toMatchObject({ status: 'ACTIVE', kind: 'RECURRING', cancelDate: null })
    expect(Math.abs(second(first.nextBillDate) - second(yearAfter(first.startDate)))).toBeLessThanOrEqual(2)
    await pass(366)
    const renewed = await subscriptionOf(member)
    expect(renewed).toMatchObject({ status: 'ACTIVE', cancelDate: null, startDate: first.startDate })
    expect(second(renewed.nextBillDate)).toBe(second(yearAfter(first.nextBillDate ?? '')))
  })

  test('canceled at the end of the period: ACTIVE with its last day until then, CANCELED afterwards', async () => {
    const member = await join()
    const { nextBillDate } = await subscriptionOf(member)
    await inPortal(member, 'cancel')
    expect(await subscriptionOf(member)).toMatchObject({
      status: 'ACTIVE',
      nextBillDate: null,
      cancelDate: nextBillDate,
    })
    await pass(364)
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
    await pass(2)
    const over = await subscriptionOf(member)
    expect(over).toMatchObject({ status: 'CANCELED', nextBillDate: null })
    expect(Math.abs(second(over.cancelDate) - second(nextBillDate))).toBeLessThanOrEqual(2)
  })

  test('a resumed subscription renews again', async () => {
    const member = await join()
    const { nextBillDate } = await subscriptionOf(member)
    await inPortal(member, 'cancel')
    await inPortal(member, 'resume')
    expect(await subscriptionOf(member)).toMatchObject({ status: 'ACTIVE', nextBillDate, cancelDate: null })
  })

  test('a failed renewal: PAST_DUE with rights for 14 days at least, EXPIRED when Stripe gave up and grace is over', async () => {
    const member = await join({ card: FAILS_AT_RENEWAL })
    await pass(366)
    expect((await subscriptionOf(member)).status).toBe('PAST_DUE')
    await pass(12)
    expect((await subscriptionOf(member)).status).toBe('PAST_DUE')
    await pass(5)
    const over = await subscriptionOf(member)
    expect(over).toMatchObject({ status: 'EXPIRED', nextBillDate: null })
    expect(second(over.cancelDate)).toBeLessThan(app().now() / 1_000)
  })

  test('a new card within the grace period pays the amount due', async () => {
    const member = await join({ card: FAILS_AT_RENEWAL })
    await pass(366)
    await inPortal(member, 'card', { card: '4242424242424242' })
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
    await pass(30)
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
  })

  test('an expired member pays again and is ACTIVE, with the old membership as history', async () => {
    const member = await join({ card: FAILS_AT_RENEWAL })
    await pass(366)
    await pass(20)
    const browser = app().browser()
    await browser.logIn(member.email)
    const { body } = await browser.post('/api/stripe/checkout/start', { levelKey: 'annual_member' })
    await browser.pay(body.sessionUrl as string)
    await app().drain()
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
    const { db } = app().database
    const rows = await db
      .selectFrom('membership')
      .innerJoin('account', 'account.id', 'membership.accountId')
      .select('isCurrent')
      .where('emailKey', '=', member.email)
      .execute()
    expect(rows.map((row) => row.isCurrent).sort()).toEqual([1, null])
  })

  test('when Stripe stops retrying within the grace period, rights continue and the member can pay again', async () => {
    const member = await join({ card: FAILS_AT_RENEWAL })
    await pass(366)
    const { db } = app().database
    const { id } = await db
      .selectFrom('account')
      .select('id')
      .where('emailKey', '=', member.email)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('membership')
      .set({ stripeStatus: 'canceled', updatedAt: app().now() })
      .where('accountId', '=', id)
      .where('isCurrent', '=', 1)
      .execute()
    expect(await subscriptionOf(member)).toMatchObject({ status: 'PAST_DUE', nextBillDate: null })
    const browser = app().browser()
    await browser.logIn(member.email)
    const start = await browser.post('/api/stripe/checkout/start', { levelKey: 'annual_member' })
    expect(start.status).toBe(200)
    const portal = await browser.post('/api/billing/portal-session')
    expect(portal.body).toEqual({ url: start.body.sessionUrl })
    await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
    await app().drain()
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
    expect(app().standins.stripe.refunds()).toEqual([])
  })

  test('the reconciler finds a renewal whose webhook events were lost', async () => {
    const member = await join()
    const { nextBillDate } = await subscriptionOf(member)
    await app().standins.control({ webhooks: 'drop' })
    await pass(366)
    const renewed = await subscriptionOf(member)
    expect(renewed.status).toBe('ACTIVE')
    expect(second(renewed.nextBillDate)).toBe(second(yearAfter(nextBillDate ?? '')))
    await app().standins.control({ webhooks: 'deliver' })
  })

  test('webhook events out of order lead to the same state', async () => {
    await app().standins.control({ webhooks: 'shuffle' })
    const member = await join({ card: FAILS_AT_RENEWAL })
    await pass(366)
    await pass(1)
    expect((await subscriptionOf(member)).status).toBe('PAST_DUE')
    await inPortal(member, 'card', { card: '4242424242424242' })
    await pass(1)
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
    await app().standins.control({ webhooks: 'deliver' })
  })

  test('a plan changed in the portal is the member’s level', async () => {
    const member = await join()
    const browser = app().browser()
    await browser.logIn(member.email)
    const { body } = await browser.post('/api/billing/portal-session', { levelKey: 'associate_member' })
    const price = app()
      .standins.stripe.prices()
      .find(({ lookup_key: key }) => key?.startsWith('associate_member'))
    await fetch(`${body.url as string}/plan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ price: price?.id }),
    })
    await app().drain()
    const { body: profile } = await browser.get('/api/account/profile')
    expect(profile.subscription).toMatchObject({
      status: 'ACTIVE',
      membershipLevel: { key: 'associate_member', unitAmount: 5_000 },
    })
  })
})
