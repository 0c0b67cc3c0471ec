import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ConsoleEvent, EventEmails, EventHead, listAttendees } from '#contract/console/events/events.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { readCsv } from '#server/lib/csv/csv.ts'
import { openEvent, sayComing } from '#tests/support/events.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { paidSeats, PRICE } from '#tests/support/paid-seats.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { editor, payFor, subjects } = paidSeats(app)
const EVENTS = '/api/console/events'

async function attendeesOf(id: string, query = ''): Promise<ReplyOf<typeof listAttendees>> {
  return (await (await editor()).get(`${EVENTS}/${id}/attendees${query}`)).body as ReplyOf<typeof listAttendees>
}

async function add(id: string, email: string, given: Record<string, unknown> = {}) {
  const guest = { id: randomUUID(), name: 'Leela Varghese', email, guests: 0, meals: [], seat: 'free' }
  return (await editor()).post(`${EVENTS}/${id}/attendees`, { ...guest, ...given })
}

const mailsTo = (email: string) => app().standins.mails(email)

describe('the list of events', () => {
  test('shows seats, waitlist and payments of upcoming events, and drafts and past ones apart', async () => {
    const id = await openEvent(app(), { capacity: 2, ...PRICE })
    await payFor(id, 'pays.list@example.com', { guests: 1 })
    await sayComing(app(), id, 'waits.list@example.com')
    const officer = await editor()
    const { events, counts } = (await officer.get(`${EVENTS}?q=${id}`)).body as {
      events: ConsoleEvent[]
      counts: { upcoming: number; drafts: number }
    }
    expect(events).toMatchObject([
      { id, content: 'published', rsvps: 'full', capacity: 2, taken: 2, waiting: 1, paid: 10_000, price: 5_000 },
    ])
    expect(counts.upcoming).toBeGreaterThan(0)
    expect((await officer.get(`${EVENTS}?tab=past&q=${id}`)).body.events).toEqual([])
    expect((await (await officerWith(app(), ['treasurer'])).get(EVENTS)).status).toBe(403)
  })

  test('a copy is a draft on another day, with the RSVP settings moved and RSVPs closed', async () => {
    const today = dayOf(app().now(), app().config.timeZone)
    const settings = { capacity: 40, meals: ['Vegan'], refundUntil: addDays(today, 5), price: 5_000 }
    const id = await openEvent(app(), settings)
    const officer = await editor()
    const startsOn = addDays(today, 10 + 364)
    const copied = await officer.post(`${EVENTS}/${id}/copy`, { startsOn })
    expect(copied.status).toBe(201)
    const copy = (await officer.get(`${EVENTS}/${copied.body.id}`)).body as EventHead
    expect(copy).toMatchObject({ content: 'draft', startsOn, path: null, hasSettings: true, capacity: 40, taken: 0 })
    const { offer } = (await officer.get(`/api/console/rsvp/${copied.body.id}`)).body
    expect(offer).toMatchObject({ isOpen: false, meals: ['Vegan'], refundUntil: addDays(today, 369), price: 5_000 })
    expect(((await officer.get(`${EVENTS}?tab=drafts`)).body.events as ConsoleEvent[]).map((one) => one.id)).toContain(
      copied.body.id,
    )
    expect((await officer.post(`${EVENTS}/no-such-event/copy`, { startsOn })).status).toBe(404)
  })
})

describe('attendees', () => {
  test('are found by name without accents, by status, sorted, and exported as shown', async () => {
    const id = await openEvent(app(), { capacity: 3 })
    await add(id, 'kavitha.a@example.com', { name: 'Kavítha Rao', guests: 1 })
    await add(id, 'asha.a@example.com', { name: 'Asha Iyer' })
    await add(id, 'wait.a@example.com', { name: 'Wait Er', seat: 'waitlist' })
    const { attendees, counts } = await attendeesOf(id, '?sort=guests&order=down')
    expect(attendees.map(({ name }) => name)).toEqual(['Kavítha Rao', 'Asha Iyer', 'Wait Er'])
    expect(counts).toMatchObject({ active: 3, coming: 2, waiting: 1, cancelled: 0 })
    expect((await attendeesOf(id, '?q=kavitha')).attendees.map(({ name }) => name)).toEqual(['Kavítha Rao'])
    const { token } = await editor()
    const file = await fetch(`${app().url}${EVENTS}/${id}/attendees/export?state=waiting`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const [headings, ...rows] = readCsv(await file.text())
    expect(headings).toEqual(['Name', 'Email', 'Guests', 'Meals', 'Status', 'Arrived', 'Paid', 'RSVP at'])
    expect(rows.map((row) => row.slice(0, 7))).toEqual([
      ['Wait Er', 'wait.a@example.com', '0', '', 'waiting', '0', '0.00'],
    ])
  })

  test('added free of charge get a confirmation; adding twice, a known address and a full event are refused', async () => {
    const id = await openEvent(app(), { capacity: 2, ...PRICE })
    const guest = { id: randomUUID(), guests: 1 }
    expect((await add(id, 'free.a@example.com', guest)).body).toEqual({ status: 'coming' })
    expect((await add(id, 'free.a@example.com', guest)).body).toEqual({ status: 'coming' })
    await app().drain()
    expect(mailsTo('free.a@example.com')).toHaveLength(1)
    expect((await add(id, 'free.a@example.com')).body.code).toBe('RSVP_EXISTS')
    expect((await add(id, 'late.a@example.com')).body.code).toBe('RSVP_FULL')
    expect((await add(id, 'many.a@example.com', { guests: 9 })).status).toBe(400)
    expect((await attendeesOf(id)).attendees[0]).toMatchObject({ paid: 0, due: null, status: 'coming' })
  })

  test('who are to pay get an email with the amount, and their seats are held', async () => {
    const id = await openEvent(app(), { capacity: 2, ...PRICE })
    expect((await add(id, 'owes.a@example.com', { seat: 'payment', guests: 1 })).body).toEqual({ status: 'paying' })
    await app().drain()
    expect(mailsTo('owes.a@example.com')).toHaveLength(1)
    expect(mailsTo('owes.a@example.com')[0]?.text).toContain('Pay $100')
    expect((await attendeesOf(id)).attendees[0]?.due).toMatchObject({ amount: 10_000 })
    expect((await add(id, 'none.a@example.com')).body.code).toBe('RSVP_FULL')
  })

  test('of the waitlist get a seat out of turn, once', async () => {
    const id = await openEvent(app(), { capacity: 1 })
    await sayComing(app(), id, 'first.o@example.com')
    await sayComing(app(), id, 'second.o@example.com')
    await sayComing(app(), id, 'third.o@example.com')
    const waiting = (await attendeesOf(id, '?state=waiting&sort=asked')).attendees
    const offer = async (rsvpId = '') => (await editor()).post(`${EVENTS}/${id}/attendees/${rsvpId}/offer`, {})
    const last = waiting.at(-1)
    expect((await offer(last?.id)).body.code).toBe('RSVP_FULL')
    const { offer: settings } = (await (await editor()).get(`/api/console/rsvp/${id}`)).body
    // One more seat would go to the first in line, so both seats are taken before the third gets one.
    const more = await (await editor()).call('PUT', `/api/console/rsvp/${id}`, { ...settings, capacity: 2 })
    expect(more.status).toBe(200)
    expect((await offer(last?.id)).body.code).toBe('RSVP_FULL')
    const first = (await attendeesOf(id, '?q=first.o')).attendees[0]
    await (await editor()).call('DELETE', `/api/console/rsvp/${id}/people/${first?.id}`)
    expect((await attendeesOf(id, '?q=third.o')).attendees[0]?.status).toBe('coming')
    expect((await offer(last?.id)).body.code).toBe('CHANGED_MEANWHILE')
    await app().drain()
    expect(subjects('third.o@example.com')[0]).toContain('You have a seat')
  })
})

describe('emails to guests', () => {
  async function sender() {
    const officer = await officerWith(app(), ['editor'])
    await recordSecondFactor(app(), officer)
    return officer
  }

  test('a message reaches each party of its audiences once, and only those', async () => {
    const id = await openEvent(app(), { capacity: 2 })
    await add(id, 'one.m@example.com', { guests: 1 })
    await add(id, 'two.m@example.com', { seat: 'waitlist' })
    await app().drain()
    const officer = await sender()
    const message = { audiences: ['coming'], subject: 'Parking', text: 'Park <behind> the hall.\n\nSee you.' }
    const preview = await officer.post(`${EVENTS}/${id}/emails/preview`, message)
    expect(preview.body).toMatchObject({ reach: { parties: 1, persons: 2, unreachable: 0 }, subject: 'Parking' })
    expect(preview.body.html).toContain('Park &lt;behind&gt; the hall.')
    const request = { ...message, id: randomUUID() }
    expect((await officer.post(`${EVENTS}/${id}/emails`, request)).status).toBe(201)
    expect((await officer.post(`${EVENTS}/${id}/emails`, request)).status).toBe(201)
    await app().drain()
    const received = mailsTo('one.m@example.com').filter(({ subject }) => subject === 'Parking')
    expect(received).toHaveLength(1)
    expect(received[0]?.text).toContain('Park <behind> the hall.')
    expect(mailsTo('two.m@example.com').filter(({ subject }) => subject === 'Parking')).toEqual([])
    const { messages } = (await officer.get(`${EVENTS}/${id}/emails`)).body as EventEmails
    expect(messages).toMatchObject([{ subject: 'Parking', parties: 1, accepted: 1, audiences: ['coming'] }])
    const none = { ...message, id: randomUUID(), audiences: ['arrived'] }
    expect((await officer.post(`${EVENTS}/${id}/emails`, none)).body.code).toBe('NO_GUESTS')
  })

  test('need a recent second factor', async () => {
    const id = await openEvent(app())
    await add(id, 'factor.m@example.com')
    const officer = await officerWith(app(), ['editor'])
    await app().advance(11 * 60_000)
    const request = { id: randomUUID(), audiences: ['coming'], subject: 'Parking', text: 'Behind the hall.' }
    const refused = await officer.post(`${EVENTS}/${id}/emails`, request)
    expect([refused.status, refused.body.code]).toEqual([403, 'SECOND_FACTOR_AGAIN'])
  })

  test('the notes of an event are in its confirmation and its reminder, and two officers do not overwrite each other', async () => {
    const id = await openEvent(app(), {}, 4)
    const officer = await editor()
    const { notes } = (await officer.get(`${EVENTS}/${id}/emails`)).body as EventEmails
    const changed = { confirmation: 'The gate code is 4711.', reminder: 'Bring a coat.', version: notes.version }
    const saved = await officer.call('PUT', `${EVENTS}/${id}/emails/notes`, changed)
    expect(saved.body.notes).toMatchObject({ confirmation: 'The gate code is 4711.', version: notes.version + 1 })
    expect((await officer.call('PUT', `${EVENTS}/${id}/emails/notes`, changed)).body.code).toBe('CHANGED_MEANWHILE')
    await add(id, 'noted.m@example.com')
    await app().drain()
    expect(mailsTo('noted.m@example.com')[0]?.text).toContain('The gate code is 4711.')
    // The event starts in 90 to 114 hours, by the hour of the test's run; the reminder is due two days before.
    await app().advance(70 * 3_600_000)
    await app().drain()
    const reminder = mailsTo('noted.m@example.com').find(({ subject }) => subject.startsWith('In two days'))
    expect(reminder?.text).toContain('Bring a coat.')
    expect(reminder?.text).not.toContain('4711')
  })
})
