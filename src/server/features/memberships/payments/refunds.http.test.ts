import { describe, expect, test } from 'vitest'
import { DISPUTED, membershipLife, second, type Member } from '#tests/support/membership-life.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const { pass, join, provider, subscriptionOf, emailTo, subjectsTo, rowsOf } = membershipLife(app)

async function refund(member: Member, { amount, payment = -1 }: { amount?: number; payment?: number } = {}) {
  const { payments } = await rowsOf(member)
  const intent = payments.at(payment)?.paymentIntentId ?? ''
  return provider('refunds', { payment_intent: intent, ...(amount !== undefined && { amount: String(amount) }) })
}

describe('a refund', () => {
  test.each(['annual_member', 'life_member'])(
    'of the full amount ends %s and its subscription immediately',
    async (levelKey) => {
      const member = await join({ levelKey })
      const refunded = await refund(member)
      const { status, nextBillDate, cancelDate } = await subscriptionOf(member)
      expect({ status, nextBillDate }).toEqual({ status: 'CANCELED', nextBillDate: null })
      expect(second(cancelDate)).toBe(refunded['created'])
      expect(emailTo(member.email, /We refunded/).text).toContain('has ended, and you will not be charged again')
      const { current } = await rowsOf(member)
      const subscription = current?.stripeSubscriptionId
      if (subscription) expect(app().standins.stripe.account.subscriptions.get(subscription)?.status).toBe('canceled')
      await pass(400)
      expect(app().standins.stripe.refunds().length).toBeGreaterThan(0)
      expect((await rowsOf(member)).payments).toHaveLength(1)
      expect(subjectsTo(member.email).filter((subject) => /has ended/.test(subject))).toEqual([])
    },
  )

  test('of a part changes only the receipt; refunding the rest ends it', async () => {
    const member = await join()
    await refund(member, { amount: 2_500 })
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
    expect(emailTo(member.email, /We refunded \$25/).text).toContain('is not affected')
    expect((await rowsOf(member)).payments[0]).toMatchObject({ amountRefunded: 2_500 })
    await pass(1)
    await refund(member)
    expect((await subscriptionOf(member)).status).toBe('CANCELED')
  })

  test('of an earlier year does not end this one', async () => {
    const member = await join()
    await pass(366)
    expect((await rowsOf(member)).payments).toHaveLength(2)
    await refund(member, { payment: 0 })
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
    await refund(member, { payment: 1 })
    expect((await subscriptionOf(member)).status).toBe('CANCELED')
  })

  test('whose webhook events are lost is found by the reconciler, which alerts the officers', async () => {
    const member = await join()
    await app().standins.control({ webhooks: 'drop' })
    await refund(member)
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
    await pass(1)
    await app().standins.control({ webhooks: 'deliver' })
    expect((await subscriptionOf(member)).status).toBe('CANCELED')
    expect(subjectsTo('office@example.org')).toContain('Website alert: Differences with Stripe were corrected')
  })

  test('of an unknown payment is accepted and ignored', async () => {
    const before = await app().database.db.selectFrom('stripeEvent').select('id').execute()
    const intent = app().standins.stripe.account.paymentIntents.all()[0]
    if (!intent) throw new Error('there is a payment')
    app().standins.stripe.account.emit('charge.refunded', { id: 'ch_foreign', payment_intent: 'pi_foreign' })
    app().standins.stripe.account.emit('charge.dispute.created', { id: 'dp_foreign', payment_intent: null })
    await app().drain()
    expect(await app().database.db.selectFrom('stripeEvent').select('id').execute()).toHaveLength(before.length)
  })
})

describe('a dispute', () => {
  function disputeOf(): string {
    return app().standins.stripe.account.disputes.all().at(-1)?.id ?? ''
  }

  test('leaves the membership unchanged while it is open, and notifies the member and the officers', async () => {
    const member = await join({ card: DISPUTED })
    await pass(1)
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
    expect(emailTo(member.email, /^Your payment of \$100 is disputed$/).text).toContain('continues as before')
    expect(subjectsTo('office@example.org')).toContain('Website alert: A payment is disputed')
    expect((await rowsOf(member)).payments[0]?.disputeState).toBe('open')
  })

  test('alerts the officers for each payment, even within minutes', async () => {
    const alertCount = () =>
      subjectsTo('office@example.org').filter((subject) => subject === 'Website alert: A payment is disputed').length
    const before = alertCount()
    await join({ card: DISPUTED })
    await join({ card: DISPUTED })
    await pass(1)
    expect(alertCount()).toBe(before + 2)
  })

  test('that is won changes nothing, and the member is notified', async () => {
    const member = await join({ card: DISPUTED })
    await pass(1)
    await provider(`disputes/${disputeOf()}`, { 'evidence[uncategorized_text]': 'winning_evidence' })
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
    expect(emailTo(member.email, /^The dispute about your payment is closed$/).text).toContain('nothing you need to do')
  })

  test('that is lost ends the membership and its subscription', async () => {
    const member = await join({ card: DISPUTED })
    await pass(1)
    await provider(`disputes/${disputeOf()}/close`, {})
    const over = await subscriptionOf(member)
    expect(over).toMatchObject({ status: 'CANCELED', nextBillDate: null })
    expect(Math.abs(second(over.cancelDate) - second(app().now()))).toBeLessThan(30)
    expect(emailTo(member.email, /was returned to you/).text).toContain('has ended')
    const { current } = await rowsOf(member)
    expect(app().standins.stripe.account.subscriptions.get(current?.stripeSubscriptionId ?? '')?.status).toBe(
      'canceled',
    )
  })
})

describe('the reconciler', () => {
  test('ends a subscription without a membership, and alerts the officers', async () => {
    const member = await join()
    const { current } = await rowsOf(member)
    const { db } = app().database
    // Simulate a failed cancellation after the member changed levels.
    await db
      .updateTable('membership')
      .set({ endedAt: app().now() })
      .where('id', '=', current?.id ?? '')
      .execute()
    await pass(2)
    const ended = app().standins.stripe.account.subscriptions.get(current?.stripeSubscriptionId ?? '')
    expect(ended?.status).toBe('canceled')
    expect(subjectsTo('office@example.org')).toContain('Website alert: A subscription has no membership')
  })

  test('records a missed payment and corrects the dates', async () => {
    const member = await join()
    const { db } = app().database
    const { id, current } = await rowsOf(member)
    await db.deleteFrom('payment').where('accountId', '=', id).execute()
    await db
      .updateTable('membership')
      .set({ endsAt: 1, cancelAtPeriodEnd: 1, updatedAt: 1 })
      .where('accountId', '=', id)
      .execute()
    await pass(1)
    const after = await rowsOf(member)
    expect(after.payments).toHaveLength(1)
    expect(after.current).toMatchObject({ endsAt: current?.endsAt, cancelAtPeriodEnd: 0 })
    const audit = await db.selectFrom('audit').select('action').where('subjectId', '=', id).execute()
    expect(audit.map(({ action }) => action)).toContain('membership.repaired')
  })
})
