import { afterEach, describe, expect, test } from 'vitest'
import { openEvent, rsvpToken } from '#tests/support/events.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { startSponsoring } from '#tests/support/sponsors.ts'
import { treasury } from '#tests/support/orders/treasury.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { paidSeats } from '#tests/support/paid-seats.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'off' } })
const { join, subscriptionOf, subjectsTo, rowsOf, pass, provider } = membershipLife(app)
const { row, record, read, act, list, expectSound } = treasury(app)
const { payFor } = paidSeats(app)
afterEach(async () => {
  await app().standins.control({ stripe: 'ok', webhooks: 'deliver' })
  await expectSound()
})

async function paidMember() {
  const member = await join()
  const { payments } = await rowsOf(member)
  return { ...member, id: payments[0]?.id ?? '', intent: payments[0]?.paymentIntentId ?? '' }
}

async function paidSponsor(company: string) {
  const { body, answer } = await startSponsoring(app(), { company, tierName: 'Gold', amount: 2_000 })
  await app()
    .browser()
    .pay(answer.body.sessionUrl as string)
  await app().drain()
  const { db } = app().database
  const { id } = await db
    .selectFrom('sponsorship')
    .select('id')
    .where('email', '=', body.email)
    .executeTakeFirstOrThrow()
  return { id, email: body.email }
}

async function paidParty(email: string, guests: number) {
  const eventId = await openEvent(app(), { price: 5_000 })
  await payFor(eventId, email, { guests })
  await app().drain()
  const { db } = app().database
  const { id } = await db.selectFrom('rsvpOrder').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  return { id, rsvp: () => db.selectFrom('rsvp').selectAll().where('eventId', '=', eventId).executeTakeFirstOrThrow() }
}

describe('refunds to the card', () => {
  test('of parts of dues leave the membership, and the last part ends it', async () => {
    const member = await paidMember()
    expect((await read('dues', member.id)).refund).toMatchObject({
      most: 10_000,
      mayEnd: true,
      ifPart: 'The membership stays as it is.',
    })
    expect((await act('dues', member.id, 'refund', { amount: 2_500 })).body).toMatchObject({
      amountRefunded: 2_500,
      state: 'partly-refunded',
    })
    expect((await act('dues', member.id, 'refund', { amount: 1_500 })).body.refund.most).toBe(6_000)
    expect((await act('dues', member.id, 'refund', { amount: 6_001 })).status).toBe(400)
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
    expect((await act('dues', member.id, 'refund', { amount: 6_000 })).body).toMatchObject({
      state: 'refunded',
      refund: { most: 0 },
    })
    expect((await subscriptionOf(member)).status).toBe('CANCELED')
    expect((await list(`q=${member.email}`)).sums).toMatchObject({
      received: 10_000,
      refunded: 10_000,
      revenue: 0,
      refunds: 3,
    })
  }, 60_000)

  test('of a part ends the membership if the officer says so', async () => {
    const member = await paidMember()
    await act('dues', member.id, 'refund', { amount: 5_000, endsMembership: true })
    expect((await subscriptionOf(member)).status).toBe('CANCELED')
    expect((await rowsOf(member)).payments[0]).toMatchObject({ amountRefunded: 5_000 })
  })

  test('of sponsorships email the sponsor; all of it takes the benefits that are due', async () => {
    const { id, email } = await paidSponsor('Parts of a sponsor')
    await act('sponsorship', id, 'refund', { amount: 50_000 })
    expect(subjectsTo(email)).toContain('Your refund of $500: sponsorship')
    expect((await read('sponsorship', id)).refund.most).toBe(150_000)
    expect((await act('sponsorship', id, 'refund', { amount: 150_000 })).body.state).toBe('refunded')
  })

  test('of seats: a part changes nothing else, and all of it takes the seats or leaves them', async () => {
    const one = await paidParty('partly@example.com', 1)
    await act('seats', one.id, 'refund', { amount: 2_000 })
    expect(await one.rsvp()).toMatchObject({ status: 'coming', guests: 1, ownPrice: 5_000 })
    await act('seats', one.id, 'refund', { amount: 8_000, keepsSeats: true })
    expect(await one.rsvp()).toMatchObject({ status: 'coming', ownPrice: 0 })
    const two = await paidParty('whole@example.com', 0)
    await act('seats', two.id, 'refund', { amount: 5_000 })
    expect((await two.rsvp()).status).toBe('cancelled')
  })

  test('agree with refunds made at the provider’s dashboard', async () => {
    const member = await paidMember()
    const seen = (await read('dues', member.id)).version
    await provider('refunds', { payment_intent: member.intent, amount: '4000' })
    expect((await act('dues', member.id, 'refund', { amount: 1_000, version: seen })).body.code).toBe(
      'CHANGED_MEANWHILE',
    )
    expect((await act('dues', member.id, 'refund', { amount: 6_000 })).body).toMatchObject({
      amountRefunded: 10_000,
      state: 'refunded',
    })
    const refunded = app()
      .standins.stripe.refunds()
      .filter(({ payment_intent: intent }) => intent === member.intent)
    expect(refunded.reduce((sum, { amount }) => sum + amount, 0)).toBe(10_000)
  })

  test('clicked many times are made once', async () => {
    const member = await paidMember()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => act('dues', member.id, 'refund', { amount: 3_000 })),
    )
    const made = answers.filter(({ status }) => status === 200).length
    await app().drain()
    expect((await read('dues', member.id)).amountRefunded).toBe(3_000 * made)
    expect(made).toBeLessThanOrEqual(3)
  }, 60_000)

  test.each(['lostReply', 'refuse', 'error'] as const)(
    'that get no response (%s) are pending and made later, once',
    async (fault) => {
      const member = await paidMember()
      await app().standins.control({ stripe: fault })
      const pending = await act('dues', member.id, 'refund', { amount: 4_000 })
      expect(pending.body).toMatchObject({ refund: { most: 6_000 }, refunds: [{ state: 'pending' }] })
      await app().standins.control({ stripe: 'ok' })
      await pass(2)
      expect(await read('dues', member.id)).toMatchObject({
        amountRefunded: 4_000,
        refund: { most: 6_000 },
        refunds: [{ state: 'made' }],
      })
      const made = app()
        .standins.stripe.refunds()
        .filter(({ payment_intent: intent }) => intent === member.intent)
      expect(made).toHaveLength(1)
    },
  )
})

describe('payments by hand', () => {
  async function byHand(given: Parameters<typeof row>[0]) {
    const { receipts } = (await record([row(given)])).body
    return receipts[0] as { id: string; receiptNumber: string }
  }

  test('of every kind are refunded by hand in parts', async () => {
    const { email } = await join({ levelKey: 'medical_student' })
    const dues = await byHand({ kind: 'dues', email, levelKey: 'annual_member' })
    expect((await act('dues', dues.id, 'refund', { amount: 4_000 })).body.errors).toHaveProperty('method')
    const how = { method: 'cheque', reference: '2093' }
    expect((await act('dues', dues.id, 'refund', { amount: 4_000, ...how })).body).toMatchObject({
      amountRefunded: 4_000,
    })
    expect((await subscriptionOf({ email })).status).toBe('ACTIVE')
    await act('dues', dues.id, 'refund', { amount: 6_000, ...how })
    expect((await subscriptionOf({ email })).status).toBe('CANCELED')
    const sponsor = await byHand({ kind: 'sponsorship', email: 'hand@example.com', tierName: 'Silver', amount: '1000' })
    expect((await act('sponsorship', sponsor.id, 'refund', { amount: 25_000, ...how })).body.lines).toMatchObject([
      { type: 'payment', amount: 100_000 },
      { type: 'refund', amount: -25_000, paidBy: 'Check' },
    ])
  })

  test('that were recorded wrong are canceled, with the receipt kept and the payer told', async () => {
    const eventId = await openEvent(app(), { price: 5_000 })
    const seats = await byHand({ kind: 'seats', email: 'bounced@example.com', eventId, amount: '50' })
    const canceled = (await act('seats', seats.id, 'cancel', {})).body
    expect(canceled).toMatchObject({
      state: 'canceled',
      canceled: { reason: 'A test' },
      mayCorrect: false,
      refund: { most: 0 },
    })
    expect(subjectsTo('bounced@example.com')).toContain(`Receipt ${seats.receiptNumber} was canceled`)
    const rsvps = await app().database.db.selectFrom('rsvp').select('status').where('eventId', '=', eventId).execute()
    expect(rsvps).toEqual([{ status: 'cancelled' }])
    expect((await act('seats', seats.id, 'cancel', {})).body.code).toBe('CHANGED_MEANWHILE')
  })

  test('are corrected: the new receipt replaces the old one, and the sums stay right', async () => {
    const given = {
      kind: 'sponsorship',
      email: 'typo@example.com',
      tierName: 'Silver',
      amount: '1000',
      reference: '77',
    } as const
    const wrong = await byHand(given)
    const body = { method: 'cheque', reference: '78', amount: 100_000, paidOn: '2026-11-20' }
    expect((await act('sponsorship', wrong.id, 'replace', body)).body).toMatchObject({
      state: 'canceled',
      replacedBy: expect.stringMatching(/^R-/) as string,
    })
    const { lines, sums } = await list('q=typo@example.com')
    expect(lines.map(({ type, amount, state }) => [type, amount, state])).toEqual(
      expect.arrayContaining([
        ['payment', 100_000, 'canceled'],
        ['canceled', -100_000, 'canceled'],
        ['payment', 100_000, 'paid'],
      ]),
    )
    expect(sums).toMatchObject({ received: 100_000, refunded: 0, revenue: 100_000, payments: 1, refunds: 0 })
    const { email } = await join({ levelKey: 'medical_student' })
    const dues = await byHand({ kind: 'dues', email, levelKey: 'annual_member' })
    const before = await subscriptionOf({ email })
    await act('dues', dues.id, 'replace', { ...body, amount: 9_000 })
    expect(await subscriptionOf({ email })).toEqual(before)
  })

  test('of seats that the guest cancels in time are due to be returned, until an officer records it', async () => {
    const eventId = await openEvent(app(), { price: 5_000, refundUntil: '2999-01-01' })
    const seats = await byHand({ kind: 'seats', email: 'due@example.com', eventId, amount: '50' })
    const token = await rsvpToken(app(), 'due@example.com')
    expect((await app().browser().post('/api/rsvp/cancel', { token })).status).toBe(200)
    await app().drain()
    expect((await list()).refundsDue).toBe(1)
    expect(await read('seats', seats.id)).toMatchObject({
      amountRefunded: 0,
      refunds: [{ state: 'pending', amount: 5_000 }],
    })
    await act('seats', seats.id, 'refund', { amount: 5_000, method: 'zelle', reference: 'Z1' })
    expect((await list()).refundsDue).toBe(0)
    expect(await read('seats', seats.id)).toMatchObject({
      state: 'refunded',
      refunds: [{ state: 'made', amount: 5_000 }],
    })
  })
})
