import { expect, test } from 'vitest'
import { askToCome, openEvent, sayComing } from '#tests/support/events.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })

async function seatsLeft(): Promise<Record<string, number>> {
  const { status, body } = await app().browser().get('/api/events/seats-left')
  expect(status).toBe(200)
  const { events } = body as { events: { id: string; seatsLeft: number }[] }
  return Object.fromEntries(events.map(({ id, seatsLeft: left }) => [id, left]))
}

test('lists see the same seats as the form, at once, and only of events that take RSVPs and have limited seats', async () => {
  const limited = await openEvent(app(), { capacity: 5 })
  const full = await openEvent(app(), { capacity: 1 })
  const unlimited = await openEvent(app())
  const closed = await openEvent(app(), { capacity: 5, isOpen: false })
  await sayComing(app(), full, 'ana@example.com')
  await sayComing(app(), limited, 'ben@example.com', { guests: 1 })
  await askToCome(app(), limited, 'cem@example.com')
  const found = await seatsLeft()
  expect([found[limited], found[full], found[unlimited], found[closed]]).toEqual([2, 0, undefined, undefined])
  const form = await app().browser().get(`/api/events/${limited}/rsvp`)
  expect(form.body.seatsLeft).toBe(found[limited])
  expect(found).not.toHaveProperty(unlimited)
})

test('an event that has begun is no longer listed', async () => {
  const id = await openEvent(app(), { capacity: 5 }, 1)
  expect(await seatsLeft()).toHaveProperty(id)
  await app().advance(2 * 86_400_000)
  expect(await seatsLeft()).not.toHaveProperty(id)
})
