import { describe, expect, test } from 'vitest'
import type { TicketKind } from '#contract/console/rsvp.ts'
import { openEvent, rsvpToken } from '#tests/support/events.ts'
import { paidSeats } from '#tests/support/paid-seats.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { checkInListOf, say, payFor, sessionsOf, subjects } = paidSeats(app)

const kind = { memberPrice: null, seats: 1, limit: null, levels: [] }
const adult: TicketKind = { ...kind, key: 'adult', name: 'Adult', price: 8_000 }
const child: TicketKind = { ...kind, key: 'child', name: 'Child', price: 3_000 }
const of = (...counts: [kind: string, count: number][]) => ({
  tickets: counts.map(([key, count]) => ({ kind: key, count })),
})

describe('the limit of a kind', () => {
  test('one of 20 concurrent parties gets the last ticket; when it is given up, the next in line is asked to pay', async () => {
    const id = await openEvent(app(), { kinds: [adult, { ...child, limit: 1 }] })
    const people = Array.from({ length: 20 }, (_, turn) => `child-rush${turn}@example.com`)
    const answers = await Promise.all(
      people.map((email) => say(app().browser(), id, email, of(['adult', 1], ['child', 1]))),
    )
    const places = answers.map(({ body }) => body.place as string)
    expect(places.filter((place) => place === 'paying')).toHaveLength(1)
    expect(places.filter((place) => place === 'waiting')).toHaveLength(19)
    // Other kinds are not concerned.
    expect((await say(app().browser(), id, 'alone@example.com', of(['adult', 1]))).body.place).toBe('paying')
    const back = new URL(sessionsOf(people[places.indexOf('paying')] ?? '')[0]?.cancel_url ?? '')
    const { order, nonce } = Object.fromEntries(back.searchParams)
    await app().browser().post('/api/rsvp/payment/give-up', { order, nonce })
    await app().drain()
    const next = people.filter((email) => subjects(email).includes('Your seat is ready'))
    expect(next).toHaveLength(1)
    const token = await rsvpToken(app(), next[0] ?? '')
    const { payAt } = (await app().browser().post('/api/rsvp/pay', { token })).body
    await app()
      .browser()
      .pay(payAt as string)
    await app().drain()
    expect(
      (await checkInListOf(id)).entries.filter(({ place }: { place: string }) => place === 'coming'),
    ).toMatchObject([{ tickets: ['1 × Adult', '1 × Child'], paid: 11_000 }])
  })

  test('a payment that comes after its ticket went to someone else is refunded', async () => {
    const id = await openEvent(app(), { kinds: [{ ...child, limit: 1 }] })
    const late = app().browser()
    const { body } = await say(late, id, 'slow@example.com', of(['child', 1]))
    await app().standins.control({ webhooks: 'drop' })
    await late.pay(body.payAt as string)
    await app()
      .database.db.updateTable('rsvpOrder')
      .set({ state: 'failed', openKey: null })
      .where('eventId', '=', id)
      .execute()
    await payFor(id, 'quick@example.com', of(['child', 1]))
    await app().standins.control({ webhooks: 'deliver' })
    await app().advance(3_600_000)
    await app().drain()
    await app().drain()
    const coming = (await checkInListOf(id)).entries.filter(({ place }: { place: string }) => place === 'coming')
    expect(coming).toMatchObject([{ email: 'quick@example.com', paid: 3_000 }])
    expect(subjects('slow@example.com')).toContain('Your refund of $30')
  })
})
