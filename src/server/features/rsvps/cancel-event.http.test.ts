import { describe, expect, test } from 'vitest'
import { openEvent, rsvpToken, sayComing } from '#tests/support/events.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { paidSeats, PRICE, refundNotes } from '#tests/support/paid-seats.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestResponse } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { editor, countsOf, checkInListOf, say, payFor, subjects } = paidSeats(app)
const ANNOUNCEMENT = 'The hall has flooded. We hope to see you in spring.'

async function president() {
  const officer = await officerWith(app(), ['president'])
  await recordSecondFactor(app(), officer)
  return officer
}

async function cancelEvent(id: string, by: { post(path: string, body: unknown): Promise<TestResponse> }) {
  return by.post(`/api/console/rsvp/${id}/call-off`, { announcement: ANNOUNCEMENT })
}

const textTo = (email: string, subject: string) =>
  app()
    .standins.mails(email)
    .find((mail) => mail.subject.startsWith(subject))?.text

describe('an event without payments', () => {
  test('guests and the waitlist get the officer’s message, and the event is shown as canceled everywhere', async () => {
    const id = await openEvent(app(), { capacity: 2 })
    const [coming, waitlisted] = ['comes.off@example.com', 'waits.off@example.com']
    await sayComing(app(), id, coming, { guests: 1 })
    await sayComing(app(), id, waitlisted)
    await app().drain()
    const token = await rsvpToken(app(), coming)
    const { status, body } = await cancelEvent(id, await editor())
    expect([status, body.parties, body.refunded]).toEqual([200, 2, 0])
    expect(body.event).toMatchObject({
      calledOff: { words: ANNOUNCEMENT },
      event: { state: 'off' },
      offer: { isOpen: false },
    })
    await app().drain()
    expect([coming, waitlisted].map((email) => subjects(email)[0])).toEqual(['Canceled', 'Canceled'])
    expect(textTo(coming, 'Canceled')).toContain(ANNOUNCEMENT)
    expect(textTo(coming, 'Canceled')).not.toContain('Your payment of')
    expect(await countsOf(id)).toMatchObject({ coming: 0, waiting: 0, paying: 0 })

    const visitor = app().browser()
    expect((await visitor.get(`/api/events/${id}/rsvp`)).body).toMatchObject({ state: 'off', words: ANNOUNCEMENT })
    const late = await say(visitor, id, 'late.off@example.com')
    expect([late.status, late.body.code]).toEqual([409, 'RSVP_CLOSED'])
    const own = (await visitor.post('/api/rsvp/read', { token })).body
    expect(own).toMatchObject({ place: 'cancelled', offer: { state: 'off' } })
  })

  test('canceling twice is rejected, and reopening RSVPs reverses it', async () => {
    const id = await openEvent(app())
    const officer = await editor()
    const email = 'once.off@example.com'
    await sayComing(app(), id, email)
    const { offer } = (await cancelEvent(id, officer)).body.event
    expect((await cancelEvent(id, officer)).body.code).toBe('CHANGED_MEANWHILE')
    await app().drain()
    expect(subjects(email).filter((subject) => subject === 'Canceled')).toHaveLength(1)

    const { eventId: _, ...fields } = offer
    const opened = await officer.call('PUT', `/api/console/rsvp/${id}`, { ...fields, isOpen: true })
    expect(opened.body).toMatchObject({ calledOff: null, event: { state: 'open' } })
    await sayComing(app(), id, email)
    expect(await countsOf(id)).toMatchObject({ coming: 1 })
  })

  test('when RSVPs are reopened before the emails are sent, guests receive the email that their RSVP was removed', async () => {
    const id = await openEvent(app())
    const officer = await editor()
    const email = 'quick.off@example.com'
    await sayComing(app(), id, email)
    await app().drain()
    await app().standins.control({ mail: 'temporary' })
    const { eventId: _, ...fields } = (await cancelEvent(id, officer)).body.event.offer
    // The attempt fails before the clock moves: one that fails later would be due an hour later too.
    await app().drain()
    await officer.call('PUT', `/api/console/rsvp/${id}`, { ...fields, isOpen: true })
    await app().standins.control({ mail: 'ok' })
    await app().advance(HOUR_MS)
    await app().drain()
    expect(subjects(email)[0]).toBe('Your RSVP was removed')
  })

  test('canceling is rejected without a message, for an event without RSVPs, and once it is over', async () => {
    const id = await openEvent(app(), {}, 1)
    const officer = await editor()
    const withoutMessage = await officer.post(`/api/console/rsvp/${id}/call-off`, { announcement: ' ' })
    expect([withoutMessage.status, withoutMessage.body.code]).toEqual([400, 'INVALID_INPUT'])
    expect((await cancelEvent('no-such-event', officer)).body.code).toBe('NOT_FOUND')
    await app().advance(3 * 24 * HOUR_MS)
    expect((await cancelEvent(id, await editor())).body.code).toBe('EVENT_IS_OVER')
  })
})

describe('an event with payments', () => {
  test('the president cancels with full refunds regardless of the refund deadline; an editor cannot', async () => {
    const id = await openEvent(app(), PRICE)
    const paid = ['paid.off@example.com', 'paid.off.too@example.com']
    for (const email of paid) await payFor(id, email)
    await app().drain()
    const refused = await cancelEvent(id, await editor())
    expect([refused.status, refused.body.code]).toEqual([409, 'EVENT_IS_PAID'])
    expect(await countsOf(id)).toMatchObject({ coming: 2 })

    const { body } = await cancelEvent(id, await president())
    expect(body).toMatchObject({ parties: 2, refunded: 10_000, event: { paid: 0 } })
    expect(await refundNotes(app(), id)).toEqual([ANNOUNCEMENT, ANNOUNCEMENT])
    await app().drain()
    await app().drain()
    for (const email of paid) {
      expect(subjects(email)).toEqual(expect.arrayContaining(['Canceled', 'Your refund of $50']))
      expect(textTo(email, 'Canceled')).toContain('Your payment of $50 will be refunded to your card')
      expect(textTo(email, 'Your refund of $50')).toContain(
        'will not take place, so we refunded everything you paid for it',
      )
    }
    const orders = await app().database.db.selectFrom('rsvpOrder').selectAll().where('eventId', '=', id).execute()
    expect(orders.map(({ amount, amountRefunded }) => amount - amountRefunded)).toEqual([0, 0])
    expect((await checkInListOf(id)).entries.every(({ place }: { place: string }) => place === 'cancelled')).toBe(true)
  })

  test('a payment in progress is refunded as well, and an unpaid page can no longer be paid', async () => {
    const id = await openEvent(app(), PRICE)
    const [paying, thinking] = ['paying.off@example.com', 'thinking.off@example.com']
    await app().standins.control({ webhooks: 'drop' })
    await payFor(id, paying)
    await say(app().browser(), id, thinking)
    expect((await cancelEvent(id, await editor())).body).toMatchObject({ parties: 0, refunded: 0 })
    await app().standins.control({ webhooks: 'deliver' })
    await app().drain()
    await app().drain()
    const orders = await app().database.db.selectFrom('rsvpOrder').selectAll().where('eventId', '=', id).execute()
    const states = orders.map(({ email, state, amount, amountRefunded }) => [email, state, amount - amountRefunded])
    expect(states.toSorted()).toEqual([
      [paying, 'paid', 0],
      [thinking, 'failed', 5_000],
    ])
    expect(await countsOf(id)).toMatchObject({ coming: 0, paying: 0 })
    expect(textTo(paying, 'Your refund of $50')).toContain('will not take place')
  })
})
