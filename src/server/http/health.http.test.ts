import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()

test('/healthz says the process is alive, /readyz that it can serve', async () => {
  const visitor = app().browser()
  const alive = await visitor.get('/healthz')
  expect([alive.status, alive.body]).toEqual([200, { status: 'alive' }])
  const ready = await visitor.get('/readyz')
  expect([ready.status, ready.body]).toMatchObject([200, { status: 'ready', reasons: [] }])
})

test('/readyz tells when letters wait for half an hour, and recovers', async () => {
  await app().standins.control({ mail: 'temporary' })
  await app().browser().register()
  await app().settle()
  await app().advance(29 * 60_000)
  expect((await app().browser().get('/readyz')).status).toBe(200)
  await app().advance(5 * 60_000)
  const waiting = await app().browser().get('/readyz')
  expect(waiting.status).toBe(503)
  expect(waiting.body.reasons).toEqual([
    { check: 'outbox', reason: expect.stringContaining('see whether the mail server') as string },
  ])
  await app().standins.control({ mail: 'ok' })
  await app().settle()
  expect((await app().browser().get('/readyz')).status).toBe(200)
})

test('a job queued for the future does not count as waiting', async () => {
  await app()
    .database.db.insertInto('outbox')
    .values({
      id: 'future',
      kind: 'letter.alarm',
      payload: '{}',
      dedupe_key: null,
      created_at: app().now() - 3_600_000,
      due_at: app().now() + 3_600_000,
      leased_until: null,
      attempts: 0,
      last_error: null,
      done_at: null,
      dead_at: null,
    })
    .execute()
  expect((await app().browser().get('/readyz')).status).toBe(200)
  await app().database.db.deleteFrom('outbox').where('id', '=', 'future').execute()
})

test('with the database gone: /healthz 200, /readyz 503, and levels go on from memory', async () => {
  const visitor = app().browser()
  const { schema } = app().database.db
  expect((await visitor.get('/api/membership-levels')).status).toBe(200)
  await schema.alterTable('content_version').renameTo('content_version_away').execute()
  expect((await visitor.get('/healthz')).status).toBe(200)
  const ready = await visitor.get('/readyz')
  expect(ready.status).toBe(503)
  expect(ready.body).toMatchObject({
    status: 'not ready',
    reasons: [{ check: 'database', reason: 'It cannot be reached.' }],
  })
  expect((await visitor.get('/api/membership-levels')).status).toBe(200)
  await schema.alterTable('content_version_away').renameTo('content_version').execute()
})
