import { beforeEach, describe, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import { failRefund } from '#standins/stripe/payments/refunds.ts'
import { openEvent, rsvpToken } from '#tests/support/events.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { paidSeats, PRICE } from '#tests/support/paid-seats.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

/** Refunds of seats that the bank returns days later, for example because the card was closed. */
const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const DAY_MS = 24 * HOUR_MS
const { countsOf, checkInListOf, payFor, subjects } = paidSeats(app)
const OFFICERS = 'office@example.org'
const FAILED = 'A refund failed at the bank'
const countAlerts = () => subjects(OFFICERS).filter((subject) => subject === FAILED).length
let before = 0
beforeEach(() => void (before = countAlerts()))

const seatsUntil = (days: number) => ({
  ...PRICE,
  refundUntil: addDays(dayOf(app().now(), app().config.timeZone), days),
})

async function drainAfter(ms = 0): Promise<void> {
  if (ms > 0) await app().advance(ms)
  for (let turn = 0; turn < 3; turn++) await app().drain()
}

/** The orders of an address, oldest first, with their refunds at the provider. */
async function ordersOf(email: string) {
  const orders = await app()
    .database.db.selectFrom('rsvpOrder')
    .selectAll()
    .where('email', '=', email)
    .orderBy('paidAt')
    .execute()
  const refunds = app().standins.stripe.account.refunds.all()
  return orders.map(({ id, amountRefunded: returned, paymentReference: intent }) => {
    const own = refunds.filter(({ payment_intent }) => payment_intent === intent)
    return { id, returned, own, made: own.map(({ amount, status }) => [amount, status]) }
  })
}

async function fail(email: string, turn = 0): Promise<void> {
  const refund = (await ordersOf(email))[turn]?.own.at(-1)
  if (!refund) throw new Error('there is no refund')
  failRefund(app().standins.stripe.account, refund)
}

async function refund(email: string, turn = 0) {
  const { browser: treasurer } = await newOfficer(app(), ['treasurer'])
  await recordSecondFactor(app(), treasurer)
  const id = (await ordersOf(email))[turn]?.id
  const answer = await treasurer.post(`/api/console/payments/rsvp/${id}/refund`, {
    reason: 'The refund failed',
    keepsSeats: false,
  })
  await drainAfter()
  return answer.body
}

async function change(email: string, guests: number) {
  const token = await rsvpToken(app(), email)
  await app().browser().post('/api/rsvp/change', { token, name: 'Leela Varghese', guests, meals: [] })
  await drainAfter()
}

async function cancel(email: string): Promise<void> {
  const token = await rsvpToken(app(), email)
  await app().browser().post('/api/rsvp/cancel', { token })
  await drainAfter()
}

async function findBreaches() {
  const secrets = createSecrets('a secret for tests, and for tests only, of fair length')
  const tools = { db: app().database.db, now: app().now(), secrets, mediaDirectory: null }
  return invariants.find(({ name }) => name === 'refund-of-seats-is-done')?.findViolations(tools)
}

describe('a guest who canceled', () => {
  test('duplicate webhook events and the daily sync send officers one email; if it fails again, they get another', async () => {
    const email = 'failed.twice@example.com'
    await payFor(await openEvent(app(), seatsUntil(5), 60), email)
    await drainAfter()
    await cancel(email)
    await app().standins.control({ webhooks: 'double' })
    await fail(email)
    await drainAfter()
    await drainAfter(DAY_MS)
    expect(countAlerts() - before).toBe(1)
    await refund(email)
    await fail(email)
    await drainAfter()
    await drainAfter(HOUR_MS)
    expect(countAlerts() - before).toBe(2)
    expect(await refund(email)).toEqual({ amount: 5_000 })
  })

  test('refunded in the provider’s dashboard before the email is sent: no email and no further refund', async () => {
    const email = 'by.hand@example.com'
    await payFor(await openEvent(app(), seatsUntil(5), 60), email)
    await drainAfter()
    await cancel(email)
    await fail(email)
    await drainAfter()
    const intent = String((await ordersOf(email))[0]?.own[0]?.payment_intent)
    await fetch(`${app().standins.url}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_standin', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ payment_intent: intent }),
    })
    await drainAfter()
    await drainAfter(HOUR_MS)
    expect(countAlerts() - before).toBe(0)
    expect((await refund(email)).code).toBe('CHANGED_MEANWHILE')
    expect((await ordersOf(email))[0]?.made).toHaveLength(2)
  })

  test('a pending refund is not made twice', async () => {
    const email = 'pending@example.com'
    await payFor(await openEvent(app(), seatsUntil(5), 60), email)
    await drainAfter()
    await cancel(email)
    const { account } = app().standins.stripe
    const refunded = (await ordersOf(email))[0]?.own[0]
    const charge = account.charges.all().find(({ id }) => id === refunded?.charge)
    if (!refunded || !charge) throw new Error('the payment has no refund or charge')
    account.refunds.put({ ...refunded, status: 'pending' })
    account.charges.put({ ...charge, amount_refunded: 0, refunded: false })
    await drainAfter(DAY_MS)
    await refund(email)
    await refund(email)
    expect((await ordersOf(email))[0]?.made).toEqual([[5_000, 'pending']])
    account.refunds.put(refunded)
    account.charges.put(charge)
    await drainAfter(DAY_MS)
  })
})

describe('a guest who still has seats', () => {
  test('the failed refund of a duplicate payment is made again; the seats and their payment are unchanged', async () => {
    const id = await openEvent(app(), PRICE, 60)
    const email = 'twice.failed@example.com'
    await payFor(id, email)
    await drainAfter(HOUR_MS)
    await payFor(id, email)
    await drainAfter()
    await fail(email, 1)
    await drainAfter()
    expect(await refund(email, 1)).toEqual({ amount: 5_000 })
    expect((await refund(email, 1)).code).toBe('CHANGED_MEANWHILE')
    expect((await checkInListOf(id)).entries).toMatchObject([{ email, place: 'coming', paid: 5_000 }])
    const [seats, second] = await ordersOf(email)
    expect(seats?.made).toEqual([])
    expect(second?.made).toEqual([
      [5_000, 'failed'],
      [5_000, 'succeeded'],
    ])
  })

  test('for fewer guests: only that part is refunded again, then the rest when an officer refunds it', async () => {
    const id = await openEvent(app(), seatsUntil(5), 60)
    const email = 'fewer.failed@example.com'
    await payFor(id, email, { guests: 1 })
    await drainAfter()
    await change(email, 0)
    await fail(email)
    await drainAfter()
    expect(await refund(email)).toEqual({ amount: 5_000 })
    expect(await countsOf(id)).toMatchObject({ coming: 1 })
    expect(await ordersOf(email)).toMatchObject([{ returned: 5_000 }])
    expect(await refund(email)).toEqual({ amount: 5_000 })
    expect(await countsOf(id)).toMatchObject({ coming: 0 })
    expect(await ordersOf(email)).toMatchObject([
      {
        returned: 10_000,
        made: [
          [5_000, 'failed'],
          [5_000, 'succeeded'],
          [5_000, 'succeeded'],
        ],
      },
    ])
  })
})

// This test runs last: officers' sessions expire after a week.
test('found only by the daily sync a week later: officers are emailed, "check" reports it, and it is made again once', async () => {
  const email = 'closed.card@example.com'
  await payFor(await openEvent(app(), seatsUntil(5), 60), email)
  await drainAfter()
  await cancel(email)
  expect(await ordersOf(email)).toMatchObject([{ returned: 5_000, made: [[5_000, 'succeeded']] }])
  await drainAfter(6 * DAY_MS)
  await app().standins.control({ webhooks: 'drop' })
  await fail(email)
  await drainAfter(DAY_MS)
  await drainAfter(HOUR_MS)
  expect(countAlerts() - before).toBe(1)
  const message = app()
    .standins.mails(OFFICERS)
    .find(({ subject }) => subject.startsWith(FAILED))
  for (const text of ['$50', 'Leela Varghese', email, '/console/payments?month=']) {
    expect(message?.text).toContain(text)
  }
  const [order] = await ordersOf(email)
  expect(await findBreaches()).toEqual([order?.id])

  expect(await refund(email)).toEqual({ amount: 5_000 })
  expect((await refund(email)).code).toBe('CHANGED_MEANWHILE')
  await drainAfter(DAY_MS)
  const made = [
    [5_000, 'failed'],
    [5_000, 'succeeded'],
  ]
  expect(await ordersOf(email)).toMatchObject([{ returned: 5_000, made }])
  expect(subjects(email).filter((subject) => subject === 'Your refund of $50')).toHaveLength(2)
  expect(await findBreaches()).toEqual([])
  expect(countAlerts() - before).toBe(1)
})
