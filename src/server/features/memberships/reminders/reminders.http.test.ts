import { describe, expect, test } from 'vitest'
import { FAILS_AT_RENEWAL, membershipLife, second } from '#tests/support/membership-life.ts'
import { addDays } from '#contract/dates/days.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const { pass, passToEnd, join, inPortal, subjectsTo, emailTo, rowsOf, subscriptionOf } = membershipLife(app)
const RENEWAL = /^Your membership renews on .* for \$100$/

test('a term of 30 days that an officer grants or moves has one reminder, 7 days before its end', async () => {
  const officer = await officerWith(app(), ['secretary'])
  const dayIn = (days: number) => addDays(dayOf(app().now(), app().config.timeZone), days)
  const ends = ({ email }: { email: string }) => subjectsTo(email).filter((subject) => / ends on /.test(subject))
  const member = await join({ levelKey: 'medical_student' })
  const { id } = await rowsOf(member)
  const grant = async (days: number) => {
    await recordSecondFactor(app(), officer)
    const { version } = (await officer.get(`/api/console/members/${id}`)).body as { version: string }
    const term = { levelKey: 'annual_member', endsOn: dayIn(days), reason: 'A short visit', version }
    expect((await officer.post(`/api/console/members/${id}/term`, term)).status).toBe(200)
  }
  await grant(30)
  await pass(1)
  await grant(40)
  await pass(3)
  expect(ends(member)).toEqual([])
  await pass(31)
  expect(ends(member)).toHaveLength(1)
})

describe('before an automatic charge', () => {
  test('two emails, 45 and 7 days before, with amount, card and how to cancel, and proof of sending', async () => {
    const member = await join()
    await passToEnd(member, -47)
    expect(subjectsTo(member.email).filter((subject) => RENEWAL.test(subject))).toHaveLength(0)
    await pass(3)
    const { text } = emailTo(member.email, RENEWAL)
    expect(text).toContain('Amount: $100')
    expect(text).toContain('Card: Visa ending in 4242')
    expect(text).toContain('Cancel subscription')
    await pass(20)
    expect(subjectsTo(member.email).filter((subject) => RENEWAL.test(subject))).toHaveLength(1)
    await pass(20)
    expect(subjectsTo(member.email).filter((subject) => RENEWAL.test(subject))).toHaveLength(2)
    const { reminders, current } = await rowsOf(member)
    expect(reminders.map(({ kind, state, sentTo: to, aboutAt: at }) => ({ kind, state, to, at }))).toEqual(
      ['renewal_45', 'renewal_7'].map((kind) => ({ kind, state: 'sent', to: member.email, at: current?.endsAt })),
    )
    for (const { messageId, sentValues: told, closedAt: sentAt } of reminders) {
      expect(messageId).toMatch(/^<[\w-]+@example\.org>$/)
      expect(JSON.parse(told ?? '')).toMatchObject({
        amount: '10000 usd',
        card: expect.stringContaining('4242') as string,
      })
      expect(sentAt).toBeLessThanOrEqual(app().now())
    }
    expect(
      app()
        .standins.mails(member.email)
        .map(({ headers }) => headers['message-id']),
    ).toContain(reminders[0]?.messageId)
  })

  test('the amount is computed when sent: a credit balance at the provider lowers it', async () => {
    const member = await join()
    await member.browser.post('/api/billing/portal-session')
    const price = app()
      .standins.stripe.prices()
      .find(({ lookup_key: key }) => key?.startsWith('associate_member'))
    await inPortal(member, 'plan', { price: price?.id })
    expect(emailTo(member.email, /You are now Associate Member/).text).toContain('Associate Member')
    await passToEnd(member, -44)
    // The unused part of the more expensive year, about $50, covers the next one.
    expect(emailTo(member.email, /renews on/).subject).toMatch(/for \$0(\.\d\d)?$/)
  })

  test('lifetime members and members who stopped renewal get none, a student only the end date', async () => {
    const lifetime = await join({ levelKey: 'life_member' })
    const student = await join({ levelKey: 'medical_student' })
    const leaver = await join()
    await inPortal(leaver, 'cancel')
    await passToEnd(leaver, -43)
    await pass(38)
    expect((await rowsOf(lifetime)).reminders).toEqual([])
    expect((await rowsOf(student)).reminders.map(({ kind }) => kind)).toEqual(['term_45', 'term_7'])
    expect(emailTo(student.email, /Your membership ends on/).text).toContain('Price of the next term: Nothing')
    expect((await rowsOf(leaver)).reminders.map(({ kind }) => kind)).toEqual(['stopped'])
  })

  test('a reminder is dropped when the member stops the renewal before it is sent', async () => {
    const member = await join()
    await app().standins.control({ mail: 'temporary' })
    await passToEnd(member, -44)
    await inPortal(member, 'cancel')
    await app().standins.control({ mail: 'ok' })
    await pass(1)
    expect(subjectsTo(member.email).filter((subject) => RENEWAL.test(subject))).toEqual([])
    expect((await rowsOf(member)).reminders.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'renewal_45 dropped',
      'stopped sent',
    ])
  })
})

describe('a failed renewal', () => {
  test('emails on days 0, 3, 7 and 13, with the next attempt as billing date and the end of the grace period as last day; then EXPIRED and an email', async () => {
    const member = await join({ card: FAILS_AT_RENEWAL })
    const due = second((await subscriptionOf(member)).nextBillDate)
    await passToEnd(member, 1)
    const first = await subscriptionOf(member)
    expect(first.status).toBe('PAST_DUE')
    expect(second(first.nextBillDate)).toBe(due + 3 * 86_400)
    expect(second(first.cancelDate)).toBe(due + 14 * 86_400)
    expect(emailTo(member.email, /could not be charged \$100/).text).toContain('we try again on')
    for (const days of [3, 4, 6]) await pass(days)
    const late = await subscriptionOf(member)
    expect(late.status).toBe('PAST_DUE')
    // The provider's last retry is a day after the grace period, so rights last until then.
    expect(second(late.nextBillDate)).toBe(due + 15 * 86_400)
    expect(second(late.cancelDate)).toBe(due + 15 * 86_400)
    expect(emailTo(member.email, /^Last reminder/).text).toContain('Active until:')
    await pass(2)
    const over = await subscriptionOf(member)
    expect(over).toMatchObject({ status: 'EXPIRED', nextBillDate: null })
    expect(second(over.cancelDate)).toBe(due + 15 * 86_400)
    expect((await rowsOf(member)).reminders.map(({ kind }) => kind)).toEqual([
      'past_due_0',
      'past_due_3',
      'past_due_7',
      'past_due_13',
      'expired',
    ])
    expect(emailTo(member.email, /Your membership has ended/).text).toContain('you can log in')
    await pass(60)
    expect((await rowsOf(member)).reminders).toHaveLength(5)
  })

  test('a new card pays it, with a receipt and a confirmation', async () => {
    const member = await join({ card: FAILS_AT_RENEWAL })
    await passToEnd(member, 1)
    await inPortal(member, 'card', { card: '4242424242424242' })
    await pass(20)
    const { reminders, payments } = await rowsOf(member)
    expect(reminders.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['past_due_0 sent', 'recovered sent'])
    expect(payments.map(({ purpose, amount }) => [purpose, amount])).toEqual([
      ['start', 10_000],
      ['renewal', 10_000],
    ])
    expect(payments.every((payment) => payment.receiptSentAt !== null)).toBe(true)
    expect(subjectsTo(member.email).filter((subject) => subject.startsWith('Receipt'))).toHaveLength(2)
  })
})

test('stopping, resuming and the end are each confirmed by email', async () => {
  const member = await join()
  await inPortal(member, 'cancel')
  await inPortal(member, 'resume')
  await inPortal(member, 'cancel')
  await passToEnd(member, 2)
  expect((await rowsOf(member)).reminders.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'stopped sent',
    'resumed sent',
    'stopped sent',
    'canceled sent',
  ])
  expect((await subscriptionOf(member)).status).toBe('CANCELED')
})

test('a fixed term that ended: EXPIRED and one email', async () => {
  const student = await join({ levelKey: 'medical_student' })
  await passToEnd(student, 1)
  await pass(1)
  expect((await subscriptionOf(student)).status).toBe('EXPIRED')
  expect((await rowsOf(student)).reminders.map(({ kind }) => kind)).toEqual(['expired'])
})

test('when the provider neither retries nor cancels, the subscription is canceled after the grace period', async () => {
  const member = await join({ card: FAILS_AT_RENEWAL })
  await passToEnd(member, 1)
  const { current } = await rowsOf(member)
  const { account } = app().standins.stripe
  const subscriptionId = current?.stripeSubscriptionId ?? ''
  const billing = account.billing.get(subscriptionId)
  const invoice = account.invoices.get(billing?.openInvoice ?? '')
  if (!billing || !invoice) throw new Error('there is an open invoice')
  account.billing.put({ ...billing, nextRetryAt: null })
  account.invoices.put({ ...invoice, next_payment_attempt: null })
  await pass(15)
  await pass(1)
  expect((await subscriptionOf(member)).status).toBe('EXPIRED')
  expect(account.subscriptions.get(subscriptionId)?.status).toBe('canceled')
})

test('a deactivated account gets no reminders', async () => {
  const member = await join()
  const { id } = await rowsOf(member)
  await app().database.db.updateTable('account').set({ deactivatedBy: 'self' }).where('id', '=', id).execute()
  await passToEnd(member, -44)
  expect((await rowsOf(member)).reminders.filter(({ state }) => state === 'sent')).toEqual([])
  expect(subjectsTo(member.email).filter((subject) => RENEWAL.test(subject))).toEqual([])
})

test('a reminder of a renewal names the price of the level if the provider does not know the subscription', async () => {
  const member = await join()
  const { current } = await rowsOf(member)
  const { db } = app().database
  const unknown = { stripeSubscriptionId: `sub_sample_${current?.id}` }
  await db
    .updateTable('membership')
    .set(unknown)
    .where('id', '=', current?.id ?? '')
    .execute()
  await passToEnd(member, -44)
  expect(emailTo(member.email, RENEWAL).text).toContain('Amount: $100')
})
