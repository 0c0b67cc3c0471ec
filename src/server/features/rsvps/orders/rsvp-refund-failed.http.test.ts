import { beforeEach, describe, expect, test } from 'vitest'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { invariants } from '#server/watching/invariants/invariants.ts'
import { failRefund } from '#standins/stripe/refunds.ts'
import { openEvent, rsvpToken } from '#tests/support/events.ts'
import { newOfficer, prove } from '#tests/support/officers.ts'
import { paidSeats, PRICE } from '#tests/support/paid-seats.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

/** Refunds of seats that the bank sends back days later, as that of a closed card. */
const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const DAY_MS = 24 * HOUR_MS
const { countsOf, doorOf, payFor, subjects } = paidSeats(app)
const OFFICERS = 'office@example.org'
const FAILED = 'Money for seats came back from the bank'
const isWarned = () => subjects(OFFICERS).filter((subject) => subject === FAILED).length
let before = 0
beforeEach(() => void (before = isWarned()))

const seatsUntil = (days: number) => ({
  ...PRICE,
  refundUntil: addDays(dayOf(app().now(), app().config.timeZone), days),
})

async function settled(ms = 0): Promise<void> {
  if (ms > 0) await app().advance(ms)
  for (let turn = 0; turn < 3; turn++) await app().settle()
}

/** The payments of an address, the oldest first, with what the provider made of their refunds. */
async function ordersOf(email: string) {
  const orders = await app()
    .database.db.selectFrom('rsvp_order')
    .selectAll()
    .where('email', '=', email)
    .orderBy('paid_at')
    .execute()
  const refunds = app().standins.stripe.account.refunds.all()
  return orders.map(({ id, amount_refunded: returned, payment_reference: intent }) => {
    const own = refunds.filter(({ payment_intent }) => payment_intent === intent)
    return { id, returned, own, made: own.map(({ amount, status }) => [amount, status]) }
  })
}

async function fail(email: string, turn = 0): Promise<void> {
  const refund = (await ordersOf(email))[turn]?.own.at(-1)
  if (!refund) throw new Error('nothing went back')
  failRefund(app().standins.stripe.account, refund)
}

async function refund(email: string, turn = 0) {
  const { browser: treasurer } = await newOfficer(app(), ['treasurer'])
  await prove(app(), treasurer)
  const id = (await ordersOf(email))[turn]?.id
  const answer = await treasurer.post(`/api/console/payments/rsvp/${id}/refund`, {
    reason: 'It came back',
    keepsSeats: false,
  })
  await settled()
  return answer.body
}

async function change(email: string, guests: number) {
  const token = await rsvpToken(app(), email)
  await app().browser().post('/api/rsvp/change', { token, name: 'Leela Varghese', guests, meals: [] })
  await settled()
}

async function cancel(email: string): Promise<void> {
  const token = await rsvpToken(app(), email)
  await app().browser().post('/api/rsvp/cancel', { token })
  await settled()
}

async function findBreaches() {
  const secrets = createSecrets('a secret for tests, and for tests only, of fair length')
  const tools = { db: app().database.db, now: app().now(), secrets, mediaDirectory: null }
  return invariants.find(({ name }) => name === 'refund-of-seats-is-done')?.find(tools)
}

describe('a guest who cancelled', () => {
  test('notices, each twice, and the daily look: officers have one letter; it fails again, and they have another', async () => {
    const email = 'failed.twice@example.com'
    await payFor(await openEvent(app(), seatsUntil(5), 60), email)
    await settled()
    await cancel(email)
    await app().standins.control({ webhooks: 'double' })
    await fail(email)
    await settled()
    await settled(DAY_MS)
    expect(isWarned() - before).toBe(1)
    await refund(email)
    await fail(email)
    await settled()
    await settled(HOUR_MS)
    expect(isWarned() - before).toBe(2)
    expect(await refund(email)).toEqual({ amount: 5_000 })
  })

  test('given back at the provider’s own pages before anybody was told: no letter, and nothing goes back again', async () => {
    const email = 'by.hand@example.com'
    await payFor(await openEvent(app(), seatsUntil(5), 60), email)
    await settled()
    await cancel(email)
    await fail(email)
    await settled()
    const intent = String((await ordersOf(email))[0]?.own[0]?.payment_intent)
    await fetch(`${app().standins.url}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_standin', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ payment_intent: intent }),
    })
    await settled()
    await settled(HOUR_MS)
    expect(isWarned() - before).toBe(0)
    expect((await refund(email)).code).toBe('CHANGED_MEANWHILE')
    expect((await ordersOf(email))[0]?.made).toHaveLength(2)
  })

  test('a refund the provider still works on does not go back twice', async () => {
    const email = 'pending@example.com'
    await payFor(await openEvent(app(), seatsUntil(5), 60), email)
    await settled()
    await cancel(email)
    const { account } = app().standins.stripe
    const refunded = (await ordersOf(email))[0]?.own[0]
    const charge = account.charges.all().find(({ id }) => id === refunded?.charge)
    if (!refunded || !charge) throw new Error('it was paid')
    account.refunds.put({ ...refunded, status: 'pending' })
    account.charges.put({ ...charge, amount_refunded: 0, refunded: false })
    await settled(DAY_MS)
    await refund(email)
    await refund(email)
    expect((await ordersOf(email))[0]?.made).toEqual([[5_000, 'pending']])
    account.refunds.put(refunded)
    account.charges.put(charge)
    await settled(DAY_MS)
  })
})

describe('a guest who still comes', () => {
  test('a second payment for the same seats, returned in vain, is returned again; the seats stay, and what was paid for them', async () => {
    const id = await openEvent(app(), PRICE, 60)
    const email = 'twice.failed@example.com'
    await payFor(id, email)
    await settled(HOUR_MS)
    await payFor(id, email)
    await settled()
    await fail(email, 1)
    await settled()
    expect(await refund(email, 1)).toEqual({ amount: 5_000 })
    expect((await refund(email, 1)).code).toBe('CHANGED_MEANWHILE')
    expect((await doorOf(id)).entries).toMatchObject([{ email, place: 'coming', paid: 5_000 }])
    const [seats, second] = await ordersOf(email)
    expect(seats?.made).toEqual([])
    expect(second?.made).toEqual([
      [5_000, 'failed'],
      [5_000, 'succeeded'],
    ])
  })

  test('for fewer guests: that part alone goes back again, then all of it when an officer says so', async () => {
    const id = await openEvent(app(), seatsUntil(5), 60)
    const email = 'fewer.failed@example.com'
    await payFor(id, email, { guests: 1 })
    await settled()
    await change(email, 0)
    await fail(email)
    await settled()
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

// The last one: officers' sessions end after a week.
test('heard of a week later, by the daily look alone: officers have a letter, "check" says it, and it is made anew, once', async () => {
  const email = 'closed.card@example.com'
  await payFor(await openEvent(app(), seatsUntil(5), 60), email)
  await settled()
  await cancel(email)
  expect(await ordersOf(email)).toMatchObject([{ returned: 5_000, made: [[5_000, 'succeeded']] }])
  await settled(6 * DAY_MS)
  await app().standins.control({ webhooks: 'drop' })
  await fail(email)
  await settled(DAY_MS)
  await settled(HOUR_MS)
  expect(isWarned() - before).toBe(1)
  const letter = app()
    .standins.mails(OFFICERS)
    .find(({ subject }) => subject.startsWith(FAILED))
  for (const words of ['$50', 'Leela Varghese', email, '/console/payments?month=']) {
    expect(letter?.text).toContain(words)
  }
  const [order] = await ordersOf(email)
  expect(await findBreaches()).toEqual([order?.id])

  expect(await refund(email)).toEqual({ amount: 5_000 })
  expect((await refund(email)).code).toBe('CHANGED_MEANWHILE')
  await settled(DAY_MS)
  const made = [
    [5_000, 'failed'],
    [5_000, 'succeeded'],
  ]
  expect(await ordersOf(email)).toMatchObject([{ returned: 5_000, made }])
  expect(subjects(email).filter((subject) => subject === '$50 on the way back')).toHaveLength(2)
  expect(await findBreaches()).toEqual([])
  expect(isWarned() - before).toBe(1)
})
