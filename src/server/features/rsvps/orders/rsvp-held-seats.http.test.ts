import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { askToCome, confirmByEmail, openEvent, rsvpToken, sayComing } from '#tests/support/events.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { lockRsvpSettings } from '../rsvp-settings.repository.ts'

const app = useTestApp()

async function countsOf(id: string): Promise<object> {
  const editor = await officerWith(app(), ['editor'])
  await recordSecondFactor(app(), editor)
  return (await editor.get(`/api/console/rsvp/${id}`)).body.event.counts
}
const seatsLeft = async (id: string) => (await app().browser().get(`/api/events/${id}/rsvp`)).body.seatsLeft as number

test('an RSVP with another spelling of an address does not take the held seat from its owner', async () => {
  const id = await openEvent(app(), { capacity: 1 })
  await askToCome(app(), id, 'held@gmail.com')
  const token = await rsvpToken(app(), 'held@gmail.com')
  await askToCome(app(), id, 'held+again@gmail.com')
  expect((await app().browser().post('/api/rsvp/confirm', { token })).body).toMatchObject({ place: 'coming' })
  expect(await countsOf(id)).toMatchObject({ coming: 1, waiting: 0, held: 0 })
})

test('canceling also releases seats held for a newer request of the same address', async () => {
  const id = await openEvent(app(), { capacity: 5 })
  await sayComing(app(), id, 'twice@example.com')
  const token = await rsvpToken(app(), 'twice@example.com')
  await askToCome(app(), id, 'twice@example.com', { guests: 2 })
  expect(await seatsLeft(id)).toBe(1)
  expect((await app().browser().post('/api/rsvp/cancel', { token })).body).toMatchObject({ place: 'cancelled' })
  expect((await app().browser().post('/api/rsvp/read', { token })).body).toMatchObject({ place: 'cancelled' })
  expect(await seatsLeft(id)).toBe(5)
})

test('the waitlist moves up when a new request for a smaller party replaces a larger one', async () => {
  const id = await openEvent(app(), { capacity: 3 })
  await askToCome(app(), id, 'fewer@example.com', { guests: 2 })
  expect((await sayComing(app(), id, 'waits@example.com')).body).toEqual({ place: 'waiting' })
  await askToCome(app(), id, 'fewer@example.com')
  expect(await countsOf(id)).toMatchObject({ coming: 1, waiting: 0, held: 1 })
  expect((await confirmByEmail(app(), 'fewer@example.com')).body).toMatchObject({ place: 'coming' })
  expect(await countsOf(id)).toMatchObject({ coming: 2, waiting: 0, held: 0 })
})

async function untilWaiting(transactions: number): Promise<void> {
  const waiting = sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%rsvp_settings%'`
  for (;;) {
    const { rows } = await waiting.execute(app().database.db)
    if (Number(rows[0]?.count) >= transactions) return
    await sleep(20)
  }
}

// SQLite runs one write transaction at a time.
test.runIf(process.env['TEST_ENGINE'] === 'postgres')(
  'an RSVP confirmed and canceled concurrently ends up canceled',
  async () => {
    const id = await openEvent(app(), { capacity: 5 })
    await askToCome(app(), id, 'both@example.com')
    const token = await rsvpToken(app(), 'both@example.com')
    const [release, isHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = app()
      .database.db.transaction()
      .execute(async (tx) => {
        await lockRsvpSettings(tx, id)
        isHeld.resolve()
        await release.promise
      })
    await isHeld.promise
    const visitor = app().browser()
    const confirmed = visitor.post('/api/rsvp/confirm', { token })
    await untilWaiting(1)
    const canceled = visitor.post('/api/rsvp/cancel', { token })
    await untilWaiting(2)
    release.resolve()
    await holding
    await confirmed
    expect((await canceled).body.place).toBe('cancelled')
    expect(await countsOf(id)).toMatchObject({ coming: 0, held: 0 })
  },
)
