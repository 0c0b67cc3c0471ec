import { describe, expect, test } from 'vitest'
import { openEvent, rsvpToken, sayComing } from '#tests/support/events.ts'
import { officerWith, prove } from '#tests/support/officers.ts'
import { paidSeats, PRICE } from '#tests/support/paid-seats.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestAnswer } from '#tests/support/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { editor, countsOf, doorOf, say, payFor, subjects } = paidSeats(app)
const WORDS = 'The hall has flooded. We hope to see you in spring.'

async function president() {
  const officer = await officerWith(app(), ['president'])
  await prove(app(), officer)
  return officer
}

async function callOff(id: string, by: { post(path: string, body: unknown): Promise<TestAnswer> }) {
  return by.post(`/api/console/rsvp/${id}/call-off`, { announcement: WORDS })
}

const textTo = (email: string, subject: string) =>
  app()
    .standins.mails(email)
    .find((mail) => mail.subject.startsWith(subject))?.text

describe('an event that nobody paid for', () => {
  test('whoever comes or waits is told in the officer’s words, and the event says so everywhere', async () => {
    const id = await openEvent(app(), { capacity: 2 })
    const [comes, waits] = ['comes.off@example.com', 'waits.off@example.com']
    await sayComing(app(), id, comes, { guests: 1 })
    await sayComing(app(), id, waits)
    await app().settle()
    const token = await rsvpToken(app(), comes)
    const { status, body } = await callOff(id, await editor())
    expect([status, body.parties, body.refunded]).toEqual([200, 2, 0])
    expect(body.event).toMatchObject({ calledOff: { words: WORDS }, event: { state: 'off' }, offer: { isOpen: false } })
    await app().settle()
    expect([comes, waits].map((email) => subjects(email)[0])).toEqual(['Called off', 'Called off'])
    expect(textTo(comes, 'Called off')).toContain(WORDS)
    expect(textTo(comes, 'Called off')).not.toContain('What you paid')
    expect(await countsOf(id)).toMatchObject({ coming: 0, waiting: 0, paying: 0 })

    const visitor = app().browser()
    expect((await visitor.get(`/api/events/${id}/rsvp`)).body).toMatchObject({ state: 'off', words: WORDS })
    const late = await say(visitor, id, 'late.off@example.com')
    expect([late.status, late.body.code]).toEqual([409, 'RSVP_CLOSED'])
    const own = (await visitor.post('/api/rsvp/read', { token })).body
    expect(own).toMatchObject({ place: 'cancelled', offer: { state: 'off' } })
  })

  test('twice does nothing more, and opening RSVPs again takes it back', async () => {
    const id = await openEvent(app())
    const officer = await editor()
    const email = 'once.off@example.com'
    await sayComing(app(), id, email)
    const { offer } = (await callOff(id, officer)).body.event
    expect((await callOff(id, officer)).body.code).toBe('CHANGED_MEANWHILE')
    await app().settle()
    expect(subjects(email).filter((subject) => subject === 'Called off')).toHaveLength(1)

    const { eventId: _, ...fields } = offer
    const opened = await officer.call('PUT', `/api/console/rsvp/${id}`, { ...fields, isOpen: true })
    expect(opened.body).toMatchObject({ calledOff: null, event: { state: 'open' } })
    await sayComing(app(), id, email)
    expect(await countsOf(id)).toMatchObject({ coming: 1 })
  })

  test('opened again before the letters went out, whoever lost the seats hears that they did', async () => {
    const id = await openEvent(app())
    const officer = await editor()
    const email = 'quick.off@example.com'
    await sayComing(app(), id, email)
    await app().settle()
    await app().standins.control({ mail: 'temporary' })
    const { eventId: _, ...fields } = (await callOff(id, officer)).body.event.offer
    await officer.call('PUT', `/api/console/rsvp/${id}`, { ...fields, isOpen: true })
    await app().standins.control({ mail: 'ok' })
    await app().advance(HOUR_MS)
    await app().settle()
    expect(subjects(email)[0]).toBe('Your RSVP was taken off')
  })

  test('is refused without words, for an event that offers nothing, and once it is over', async () => {
    const id = await openEvent(app(), {}, 1)
    const officer = await editor()
    const wordless = await officer.post(`/api/console/rsvp/${id}/call-off`, { announcement: ' ' })
    expect([wordless.status, wordless.body.code]).toEqual([400, 'INVALID_INPUT'])
    expect((await callOff('no-such-event', officer)).body.code).toBe('NOT_FOUND')
    await app().advance(3 * 24 * HOUR_MS)
    expect((await callOff(id, await editor())).body.code).toBe('EVENT_IS_OVER')
  })
})

describe('an event that guests paid for', () => {
  test('the president gives everything back, whatever the offer says; an editor does not', async () => {
    const id = await openEvent(app(), PRICE)
    const paid = ['paid.off@example.com', 'paid.off.too@example.com']
    for (const email of paid) await payFor(id, email)
    await app().settle()
    const refused = await callOff(id, await editor())
    expect([refused.status, refused.body.code]).toEqual([409, 'EVENT_IS_PAID'])
    expect(await countsOf(id)).toMatchObject({ coming: 2 })

    const { body } = await callOff(id, await president())
    expect(body).toMatchObject({ parties: 2, refunded: 10_000, event: { paid: 0 } })
    await app().settle()
    await app().settle()
    for (const email of paid) {
      expect(subjects(email)).toEqual(expect.arrayContaining(['Called off', '$50 on the way back']))
      expect(textTo(email, 'Called off')).toContain('What you paid, $50, goes back to your card')
      expect(textTo(email, '$50 on the way back')).toContain(
        'will not take place, so all that you paid for it goes back',
      )
    }
    const orders = await app().database.db.selectFrom('rsvp_order').selectAll().where('event_id', '=', id).execute()
    expect(orders.map(({ amount, amount_refunded }) => amount - amount_refunded)).toEqual([0, 0])
    expect((await doorOf(id)).entries.every(({ place }: { place: string }) => place === 'cancelled')).toBe(true)
  })

  test('whoever paid in that very moment gets it back as well, and whoever was about to cannot', async () => {
    const id = await openEvent(app(), PRICE)
    const [paying, thinking] = ['paying.off@example.com', 'thinking.off@example.com']
    await app().standins.control({ webhooks: 'drop' })
    await payFor(id, paying)
    await say(app().browser(), id, thinking)
    expect((await callOff(id, await editor())).body).toMatchObject({ parties: 0, refunded: 0 })
    await app().standins.control({ webhooks: 'deliver' })
    await app().settle()
    await app().settle()
    const orders = await app().database.db.selectFrom('rsvp_order').selectAll().where('event_id', '=', id).execute()
    const states = orders.map(({ email, state, amount, amount_refunded }) => [email, state, amount - amount_refunded])
    expect(states.toSorted()).toEqual([
      [paying, 'paid', 0],
      [thinking, 'failed', 5_000],
    ])
    expect(await countsOf(id)).toMatchObject({ coming: 0, paying: 0 })
    expect(textTo(paying, '$50 on the way back')).toContain('will not take place')
  })
})
