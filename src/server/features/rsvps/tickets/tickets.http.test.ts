import { describe, expect, test } from 'vitest'
import type { TicketKind } from '#contract/console/rsvp.ts'
import { messages } from '#contract/messages.ts'
import { RSVP_SETTINGS, openEvent, rsvpToken } from '#tests/support/events.ts'
import { paidSeats } from '#tests/support/paid-seats.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { editor, countsOf, checkInListOf, say, payFor, sessionsOf } = paidSeats(app)

const kind = { memberPrice: null, seats: 1, limit: null, levels: [] }
const adult: TicketKind = { ...kind, key: 'adult', name: 'Adult', price: 8_000, memberPrice: 6_000 }
const child: TicketKind = { ...kind, key: 'child', name: 'Child', price: 3_000 }
const table: TicketKind = { ...kind, key: 'table', name: 'Table of ten', price: 70_000, seats: 10 }
const KINDS = { kinds: [adult, child, table], guestsMax: 9 }
const of = (...counts: [kind: string, count: number][]) => ({
  tickets: counts.map(([key, count]) => ({ kind: key, count })),
})
const far = '2099-01-01'
const change = async (token: string, given: object) =>
  app()
    .browser()
    .post('/api/rsvp/change', { token, name: 'Leela Varghese', guests: 0, meals: [], ...given })

describe('a party with kinds of tickets', () => {
  test('pays for its tickets, the member’s own at the member price; they are on every paper', async () => {
    const id = await openEvent(app(), KINDS)
    const member = app().browser()
    const { email } = await member.join({ levelKey: 'annual_member' })
    // A browser's prices and number of guests are ignored.
    const asked = { ...of(['adult', 2], ['child', 1]), guests: 9, price: 1, meals: [] }
    const { body } = await say(member, id, email, asked)
    await member.pay(body.payAt as string)
    await app().drain()
    expect(sessionsOf(email).map(({ amount_total }) => amount_total)).toContain(17_000)
    const mails = app().standins.mails(email)
    const receipt = mails.find(({ subject }) => subject.startsWith('Your receipt'))?.text
    for (const line of ['Adult, member: 1 × $60', 'Adult: 1 × $80', 'Child: 1 × $30', 'Amount: $170'])
      expect(receipt).toContain(line)
    expect(mails.find(({ subject }) => subject.startsWith('You are on the list'))?.text).toContain(
      '2 × Adult, 1 × Child',
    )
    expect((await checkInListOf(id)).entries).toMatchObject([{ guests: 2, tickets: ['2 × Adult', '1 × Child'] }])
    const officer = await editor()
    expect((await officer.get(`/api/console/rsvp/${id}`)).body).toMatchObject({
      paid: 17_000,
      tickets: [
        { kind: 'adult', count: 2, amount: 14_000 },
        { kind: 'child', count: 1, amount: 3_000 },
        { kind: 'table', count: 0, amount: 0 },
      ],
    })
    const file = await fetch(`${app().url}/api/console/rsvp/${id}/list.csv`, {
      headers: { authorization: `Bearer ${officer.token}` },
    })
    const [headings, row] = (await file.text()).split('\r\n')
    expect(headings).toContain('"Guests","Tickets","Meals"')
    expect(row).toContain('2 × Adult; 1 × Child')
  })

  test('a table is one ticket with ten seats', async () => {
    const id = await openEvent(app(), { ...KINDS, capacity: 10 })
    await payFor(id, 'host@example.com', of(['table', 1]))
    await app().drain()
    expect(sessionsOf('host@example.com')[0]?.amount_total).toBe(70_000)
    expect(await countsOf(id)).toMatchObject({ coming: 10 })
    expect((await say(app().browser(), id, 'late@example.com', of(['child', 1]))).body).toEqual({ place: 'waiting' })
  })

  test('tickets for certain levels are for their members, one each', async () => {
    const student = {
      ...adult,
      key: 'student',
      name: 'Student',
      price: 2_000,
      memberPrice: 0,
      levels: ['resident_fellow'],
    }
    const id = await openEvent(app(), { ...KINDS, kinds: [adult, student] })
    const visitor = await say(app().browser(), id, 'visitor@example.com', of(['student', 1]))
    expect([visitor.status, visitor.body.errors]).toEqual([400, { tickets: messages.rsvp.ticketsOwn }])
    const member = app().browser()
    const { email } = await member.join({ levelKey: 'resident_fellow' })
    const { tickets } = (await member.get(`/api/events/${id}/rsvp`)).body
    expect(tickets.kinds).toMatchObject([{ mayChoose: true }, { levels: [expect.any(String)], mayChoose: true }])
    expect((await say(member, id, email, of(['student', 2]))).body.errors).toHaveProperty('tickets')
    expect((await say(member, id, 'friend@example.com', of(['student', 1]))).body.errors).toHaveProperty('tickets')
    expect((await say(member, id, email, of(['student', 1]))).body).toEqual({ place: 'coming' })
  })
})

describe('a change', () => {
  test('of added tickets is paid first, to cheaper ones is refunded, and keeps to the limit', async () => {
    const id = await openEvent(app(), { ...KINDS, kinds: [adult, { ...child, limit: 2 }], refundUntil: far })
    const email = 'changes@example.com'
    await payFor(id, email, of(['adult', 2]))
    await app().drain()
    const token = await rsvpToken(app(), email)
    const more = (await change(token, of(['adult', 2], ['child', 1]))).body
    expect(more).toMatchObject({ tickets: [{ count: 2 }], payAt: expect.any(String) })
    await app()
      .browser()
      .pay(more.payAt as string)
    await app().drain()
    const read = async () => (await app().browser().post('/api/rsvp/read', { token })).body
    expect(await read()).toMatchObject({ guests: 2, money: { paid: 19_000 } })
    // An adult becomes a child: the difference goes back, once.
    for (let turn = 0; turn < 2; turn++)
      expect((await change(token, of(['adult', 1], ['child', 2]))).body).toMatchObject({ guests: 2 })
    await app().drain()
    expect(await read()).toMatchObject({ guests: 2, money: { paid: 14_000 } })
    const over = await change(token, of(['child', 3]))
    expect([over.status, over.body.errors]).toEqual([400, { tickets: messages.rsvp.ticketsFew }])
    // Only the name: the tickets stay.
    expect((await change(token, { name: 'Leela V.' })).body).toMatchObject({ name: 'Leela V.', guests: 2 })
    // Back to an adult: paid before it holds.
    const back = (await change(token, of(['adult', 2], ['child', 1]))).body
    await app()
      .browser()
      .pay(back.payAt as string)
    await app().drain()
    expect(await read()).toMatchObject({ guests: 2, money: { paid: 19_000 } })
    expect((await app().browser().post('/api/rsvp/cancel', { token })).body.place).toBe('cancelled')
    await app().drain()
    expect(await read()).toMatchObject({ money: { paid: 0 } })
  })

  test('of the kinds leaves parties as they agreed: with tickets that are gone, or from before there were kinds', async () => {
    const id = await openEvent(app(), { price: 5_000, refundUntil: far })
    const email = 'before@example.com'
    await payFor(id, email)
    await app().drain()
    const officer = await editor()
    const save = (given: object, version: number) =>
      officer.call('PUT', `/api/console/rsvp/${id}`, { ...RSVP_SETTINGS, ...given, version })
    expect((await save({ ...KINDS, price: 5_000 }, 1)).body.errors).toEqual({ price: messages.rsvp.kindsAndPrice })
    expect((await save({ ...KINDS, refundUntil: far }, 1)).status).toBe(200)
    const token = await rsvpToken(app(), email)
    const grown = (await change(token, { guests: 1 })).body
    await app()
      .browser()
      .pay(grown.payAt as string)
    await app().drain()
    const read = async (of: string) => (await app().browser().post('/api/rsvp/read', { token: of })).body
    expect(await read(token)).toMatchObject({ guests: 1, tickets: [], money: { paid: 10_000 } })

    await payFor(id, 'table@example.com', of(['table', 1]))
    await app().drain()
    // A page from before the update sends no kinds and changes none.
    expect((await save({ guestsMax: 9, refundUntil: far }, 2)).body.offer.kinds).toHaveLength(3)
    expect((await save({ kinds: [], refundUntil: far }, 3)).body).toMatchObject({
      tickets: [{ kind: 'table', count: 1 }],
    })
    const host = await rsvpToken(app(), 'table@example.com')
    expect((await change(host, { name: 'The host' })).body).toMatchObject({ guests: 9, name: 'The host' })
    const gone = await say(app().browser(), id, 'stale@example.com', of(['table', 1]))
    expect(gone.body.errors).toEqual({ tickets: messages.rsvp.ticketsGone })
  })
})

test('a form without tickets is refused with a sentence; kinds are checked per field', async () => {
  const id = await openEvent(app(), KINDS)
  expect((await say(app().browser(), id, 'old@example.com')).body.errors).toEqual({ tickets: messages.rsvp.tickets })
  const officer = await editor()
  const { status, body } = await officer.call('PUT', `/api/console/rsvp/${id}`, {
    ...RSVP_SETTINGS,
    kinds: [adult, { ...table, price: 50 }],
    version: 1,
  })
  expect([status, Object.keys(body.errors)]).toEqual([400, ['kinds.1.price']])
  const small = { ...RSVP_SETTINGS, guestsMax: 2, kinds: [table], version: 1 }
  expect((await officer.call('PUT', `/api/console/rsvp/${id}`, small)).body.errors).toEqual({
    'kinds.0.seats': messages.rsvp.kindSeats,
  })
})

test('officers add guests with tickets, free of charge or to be paid', async () => {
  const id = await openEvent(app(), { ...KINDS, kinds: [adult, { ...child, limit: 1 }] })
  const officer = await editor()
  const add = (email: string, seat: string, tickets: object) =>
    officer.post(`/api/console/events/${id}/attendees`, {
      id: crypto.randomUUID(),
      name: 'Leela Varghese',
      email,
      guests: 0,
      meals: [],
      seat,
      ...tickets,
    })
  expect((await add('free@example.com', 'free', of(['adult', 1], ['child', 1]))).body).toEqual({ status: 'coming' })
  expect((await add('pays@example.com', 'payment', of(['adult', 2]))).body).toEqual({ status: 'paying' })
  expect((await add('full@example.com', 'free', of(['child', 1]))).body.code).toBe('RSVP_FULL')
  const { attendees } = (await officer.get(`/api/console/events/${id}/attendees?sort=asked`)).body
  expect(attendees).toMatchObject([
    { tickets: ['1 × Adult', '1 × Child'], due: null },
    { tickets: ['2 × Adult'], due: { amount: 16_000 } },
  ])
})
