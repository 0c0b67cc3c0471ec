import { describe, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { openEvent, rsvpToken } from '#tests/support/events.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { MINUTE_MS, paidSeats, PRICE, refundNotes } from '#tests/support/paid-seats.ts'
import { monthQuery } from '#tests/support/orders/treasury.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const DAY_MS = 24 * HOUR_MS
const { editor, countsOf, checkInListOf, say, payFor, subjects, sessionsOf } = paidSeats(app)
const dayAhead = (days: number) => addDays(dayOf(app().now(), app().config.timeZone), days)

describe('changing and canceling', () => {
  test('added guests pay the difference, removed guests are refunded in time, and canceling refunds the rest', async () => {
    const id = await openEvent(app(), { ...PRICE, capacity: 3, refundUntil: dayAhead(5) })
    const email = 'changes@example.com'
    await payFor(id, email, { guests: 0 })
    await app().drain()
    const token = await rsvpToken(app(), email)
    const visitor = app().browser()
    const change = (guests: number) =>
      visitor.post('/api/rsvp/change', { token, name: 'Leela Varghese', guests, meals: [] })
    const more = await change(2)
    expect(more.body).toMatchObject({ guests: 0, money: { paid: 5_000, isRefundable: true } })
    expect(
      sessionsOf(email)
        .map(({ amount_total }) => amount_total)
        .toSorted(),
    ).toEqual([10_000, 5_000])
    await visitor.pay(more.body.payAt as string)
    await app().drain()
    expect(await countsOf(id)).toMatchObject({ coming: 3, paying: 0 })

    expect((await change(1)).body).toMatchObject({ guests: 1, money: { paid: 10_000 } })
    await app().drain()
    await app().drain()
    expect(subjects(email)).toContain('Your refund of $50')
    expect((await visitor.post('/api/rsvp/cancel', { token })).body).toMatchObject({
      place: 'cancelled',
      money: { paid: 0 },
    })
    await app().drain()
    await app().drain()
    const orders = await app().database.db.selectFrom('rsvpOrder').selectAll().where('email', '=', email).execute()
    expect(orders.map(({ amount, amountRefunded }) => amount - amountRefunded)).toEqual([0, 0])
    const refunds = await app().database.db.selectFrom('refund').selectAll().execute()
    expect(refunds.every(({ doneAt }) => doneAt !== null)).toBe(true)
  })

  test('nothing is refunded after the refund deadline', async () => {
    const id = await openEvent(app(), { ...PRICE, refundUntil: dayAhead(1) })
    const email = 'kept@example.com'
    await payFor(id, email)
    await app().drain()
    const token = await rsvpToken(app(), email)
    await app().advance(3 * DAY_MS)
    const own = (await app().browser().post('/api/rsvp/read', { token })).body
    expect(own.money).toMatchObject({ isRefundable: false, paid: 5_000 })
    await app().browser().post('/api/rsvp/cancel', { token })
    await app().drain()
    expect(subjects(email)).not.toContain('Your refund of $50')
  })
})

describe('officers', () => {
  test('the treasurer refunds once, keeping or removing the seats; check-in cannot refund', async () => {
    const id = await openEvent(app(), PRICE)
    const [kept, lost] = ['keeps@example.com', 'loses@example.com']
    for (const email of [kept, lost]) await payFor(id, email)
    await app().drain()
    const { browser: treasurer } = await newOfficer(app(), ['treasurer'])
    await recordSecondFactor(app(), treasurer)
    const month = dayOf(app().now(), app().config.timeZone).slice(0, 7)
    const found = (await treasurer.get(`/api/console/payments?${monthQuery(month)}&kind=seats&size=100`)).body
    expect(found.mayChange).toBe(true)
    const paymentOf = (email: string) => found.lines.find((one: { email: string }) => one.email === email)
    expect(paymentOf(kept)).toMatchObject({ kind: 'seats', amount: 5_000, paidBy: 'Card' })

    const { entries } = await checkInListOf(id)
    const rsvpId = entries[0].id
    const removed = await (await editor()).call('DELETE', `/api/console/rsvp/${id}/people/${rsvpId}`)
    expect([removed.status, removed.body.code]).toEqual([409, 'RSVP_IS_PAID'])

    const refund = (email: string, keepsSeats: boolean) =>
      treasurer.post(`/api/console/payments/rsvp/${paymentOf(email).paymentId}/refund`, {
        reason: 'A mistake',
        keepsSeats,
      })
    expect((await refund(kept, true)).body).toEqual({ amount: 5_000 })
    expect((await refund(lost, false)).body).toEqual({ amount: 5_000 })
    expect((await refund(kept, true)).body.code).toBe('CHANGED_MEANWHILE')
    await app().drain()
    await app().drain()
    expect(subjects(lost)).toEqual(expect.arrayContaining(['Your RSVP was removed', 'Your refund of $50']))
    expect((await checkInListOf(id)).entries).toMatchObject([{ email: kept, paid: 0, place: 'coming' }])
    const file = await fetch(`${app().url}/api/console/payments/export?${monthQuery(month)}`, {
      headers: { authorization: `Bearer ${treasurer.token}` },
    })
    expect(await file.text()).toMatch(/,"Seats","Refund",.*"keeps@example\.com","Card",-50\.00/)
  })

  test('a refunded party that keeps its seats pays for guests added later', async () => {
    const id = await openEvent(app(), { ...PRICE, refundUntil: dayAhead(5) })
    const email = 'keeps.two@example.com'
    await payFor(id, email, { guests: 1 })
    await app().drain()
    const token = await rsvpToken(app(), email)
    const order = await app()
      .database.db.selectFrom('rsvpOrder')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    const treasurer = await officerWith(app(), ['treasurer'])
    await recordSecondFactor(app(), treasurer)
    await treasurer.post(`/api/console/payments/rsvp/${order.id}/refund`, { reason: 'Our guests', keepsSeats: true })
    expect(await refundNotes(app(), id)).toEqual(['Our guests'])
    await app().drain()
    const visitor = app().browser()
    const change = async (guests: number, name = 'Leela Varghese') =>
      (await visitor.post('/api/rsvp/change', { token, name, guests, meals: [] })).body
    expect(await change(1, 'Leela A. Varghese')).toMatchObject({ guests: 1, money: { own: 0, paid: 0 } })
    const more = await change(2)
    expect(more).toMatchObject({ guests: 1, payAt: expect.stringContaining('http') })
    await visitor.pay(more.payAt as string)
    await app().drain()
    expect((await checkInListOf(id)).entries).toMatchObject([{ email, guests: 2, paid: 5_000 }])
    // Only the payment for the added guest is refunded.
    expect(await change(0)).toMatchObject({ guests: 0, money: { paid: 0 } })
    await app().drain()
    expect((await change(1)).payAt).toContain('http')
    expect(await countsOf(id)).toMatchObject({ coming: 1 })
  })

  test('a refund made in the provider’s dashboard is recorded as well', async () => {
    const id = await openEvent(app(), PRICE)
    const email = 'dashboard@example.com'
    await payFor(id, email)
    await app().drain()
    const order = () =>
      app().database.db.selectFrom('rsvpOrder').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
    const { paymentReference: intent } = await order()
    await fetch(`${app().standins.url}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_standin', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ payment_intent: intent ?? '' }),
    })
    await app().drain()
    await app().advance(15 * MINUTE_MS)
    await app().drain()
    expect((await order()).amountRefunded).toBe(5_000)
  })

  test('a member’s data download contains seat payments', async () => {
    const id = await openEvent(app(), { ...PRICE, memberPrice: 2_500 })
    const member = app().browser()
    const { email } = await member.join({ levelKey: 'annual_member' })
    const { body } = await say(member, id, email)
    await member.pay(body.payAt as string)
    await app().drain()
    const { eventPayments } = (await member.get('/api/account/data')).body
    expect(eventPayments).toMatchObject([{ amount: 2_500, amountRefunded: 0, currency: 'usd' }])
  })
})
