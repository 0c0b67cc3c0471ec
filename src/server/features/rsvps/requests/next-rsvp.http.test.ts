import { expect, test } from 'vitest'
import { openEvent } from '#tests/support/events.ts'
import { paidSeats } from '#tests/support/paid-seats.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { say } = paidSeats(app)
const NEXT = '/api/account/next-rsvp'

test('a member reads the RSVP to the first event that is still to come, for the own address only', async () => {
  const later = await openEvent(app(), { guestsMax: 4 }, 20)
  const sooner = await openEvent(app(), { guestsMax: 4 }, 10)
  const member = app().browser()
  const { email } = await member.join({ levelKey: 'annual_member' })
  expect((await member.get(NEXT)).body).toEqual({ rsvp: null })
  await say(member, later, email)
  await say(member, sooner, email, { guests: 2 })
  await say(app().browser(), sooner, 'neighbor@example.com')
  expect((await member.get(NEXT)).body).toMatchObject({
    rsvp: { event: { id: sooner, title: `Dinner ${sooner}`, time: '6:00 PM to 9:00 PM' }, seats: 3, place: 'coming' },
  })
})

test('a canceled RSVP counts for nothing, and a former member has none', async () => {
  const id = await openEvent(app(), {}, 1)
  const member = app().browser()
  const { email } = await member.join({ levelKey: 'annual_member' })
  await say(member, id, email)
  const { db } = app().database
  const mine = db.updateTable('rsvp').where('emailKey', '=', email)
  await mine.set({ status: 'cancelled' }).execute()
  expect((await member.get(NEXT)).body).toEqual({ rsvp: null })
  await mine.set({ status: 'waiting' }).execute()
  expect((await member.get(NEXT)).body).toMatchObject({ rsvp: { place: 'waiting' } })
  await db
    .updateTable('membership')
    .set({ endedAt: app().now() - 1 })
    .where('accountId', 'in', (eb) => eb.selectFrom('account').select('id').where('emailKey', '=', email))
    .execute()
  expect((await member.get(NEXT)).body).toEqual({ rsvp: null })
  expect((await app().browser().get(NEXT)).status).toBe(401)
})
