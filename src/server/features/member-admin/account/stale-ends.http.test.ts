import { afterEach, describe, expect, test } from 'vitest'
import { FAILS_AT_RENEWAL, membershipLife, type Member } from '#tests/support/membership-life.ts'
import { DAY_MS } from '#tests/support/people.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const { join, provider, subscriptionOf, subjectsTo, rowsOf } = membershipLife(app)

const UNSYNCED = { isHeard: false }

afterEach(() => app().standins.control({ webhooks: 'deliver', stripe: 'ok' }))

/** Runs the reminder job before the reconciler has repaired data restored from a backup. */
async function runReminders(): Promise<void> {
  await app().app.services.reminderJob.run()
  await app().app.outbox.drain()
}

async function atStripe(member: Member) {
  const { current } = await rowsOf(member)
  return app().standins.stripe.account.subscriptions.get(current?.stripeSubscriptionId ?? '')
}

const endReminders = async (member: Member) =>
  (await rowsOf(member)).reminders.filter(({ kind }) => kind === 'canceled' || kind === 'expired')

/** A membership renewed and paid at Stripe, but outdated here after a restore. */
async function restoredTo(before: () => Record<string, number | string | null>): Promise<Member> {
  const member = await join()
  await app().standins.control({ webhooks: 'drop' })
  await app().advance(366 * DAY_MS)
  const { current } = await rowsOf(member)
  await app()
    .database.db.updateTable('membership')
    .set(before())
    .where('id', '=', current?.id ?? '')
    .execute()
  return member
}

describe('an end that only our database has', () => {
  test.each<[string, () => Record<string, number | string | null>]>([
    ['cancelled then, resumed and renewed since', () => ({ cancelAtPeriodEnd: 1 })],
    [
      'owed then, paid since',
      () => ({ stripeStatus: 'past_due', pastDueSince: app().now() - 20 * DAY_MS, nextAttemptAt: null }),
    ],
  ])('%s: nothing is sent or ended, and the membership is synced', async (_name, before) => {
    const member = await restoredTo(before)
    await runReminders()
    expect(await endReminders(member)).toEqual([])
    expect(await atStripe(member)).toMatchObject({ status: 'active' })
    const { status, nextBillDate } = await subscriptionOf(member)
    expect(status).toBe('ACTIVE')
    expect(Date.parse(nextBillDate ?? '')).toBeGreaterThan(app().now() + 300 * DAY_MS)
  })

  test('while Stripe is unavailable it waits for the next run', async () => {
    const member = await restoredTo(() => ({ cancelAtPeriodEnd: 1 }))
    await app().standins.control({ stripe: 'error' })
    await runReminders()
    expect(await endReminders(member)).toEqual([])
    await app().standins.control({ stripe: 'ok' })
    await runReminders()
    expect(await endReminders(member)).toEqual([])
    expect(await atStripe(member)).toMatchObject({ status: 'active' })
  })
})

test('a subscription queued to end is kept when it was paid in the meantime', async () => {
  const member = await join({ card: FAILS_AT_RENEWAL })
  await app().advance(366 * DAY_MS)
  await app().drain()
  const { database, app: site } = app()
  const { id } = await rowsOf(member)
  const owing = await findCurrentMembership(database.db, id)
  await database.db
    .transaction()
    .execute((tx) => site.services.reminders.queue(tx, owing!, { kind: 'expired', aboutAt: 1 }))
  const subscription = await atStripe(member)
  const invoice = String(subscription?.latest_invoice)
  // Paid through the link in Stripe’s email before the worker runs.
  const { id: card } = await provider(
    'payment_methods/pm_card_visa/attach',
    { customer: String(subscription?.customer) },
    UNSYNCED,
  )
  const paid = await provider(`invoices/${invoice}/pay`, { payment_method: String(card) }, UNSYNCED)
  expect(paid).toMatchObject({ status: 'paid' })
  await app().drain()
  expect(await atStripe(member)).toMatchObject({ status: 'active' })
  expect((await subscriptionOf(member)).status).toBe('ACTIVE')
  expect(subjectsTo(member.email)).not.toContain('Your membership has ended')
})
