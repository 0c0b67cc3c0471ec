import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import type { Kysely } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { migrations } from '../db/migrations/index.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { healthRoutes } from './health.routes.ts'

const app = useTestApp()

async function warnings(): Promise<string[]> {
  const { body } = await app().browser().get('/readyz')
  return (body.warnings as { check: string }[]).map(({ check }) => check)
}

test('/healthz reports that the process is alive, /readyz that it can serve', async () => {
  const visitor = app().browser()
  const alive = await visitor.get('/healthz')
  expect([alive.status, alive.body]).toEqual([200, { status: 'alive' }])
  const ready = await visitor.get('/readyz')
  expect([ready.status, ready.body]).toMatchObject([200, { status: 'ready', reasons: [], warnings: [] }])
})

test('/readyz warns when emails wait for half an hour, stays ready, and recovers', async () => {
  await app().standins.control({ mail: 'temporary' })
  await app().browser().register()
  await app().drain()
  await app().advance(29 * 60_000)
  expect(await warnings()).toEqual(['mail'])
  await app().advance(5 * 60_000)
  const waiting = await app().browser().get('/readyz')
  expect(waiting.status).toBe(200)
  expect(waiting.body.warnings).toEqual([
    { check: 'outbox', reason: expect.stringContaining('Check the mail server') as string },
    { check: 'mail', reason: expect.stringContaining('does not accept emails (451)') as string },
  ])
  await app().standins.control({ mail: 'ok' })
  // Until the next retry is due.
  await app().advance(10 * 60_000)
  await app().drain()
  expect(await warnings()).toEqual([])
})

test('an effect scheduled for the future does not count as waiting', async () => {
  await app()
    .database.db.insertInto('outbox')
    .values({
      id: 'future',
      kind: 'email.alert',
      payload: '{}',
      dedupeKey: null,
      createdAt: app().now() - 3_600_000,
      dueAt: app().now() + 3_600_000,
      leasedUntil: null,
      attempts: 0,
      lastError: null,
      doneAt: null,
      deadAt: null,
    })
    .execute()
  expect(await warnings()).toEqual([])
  await app().database.db.deleteFrom('outbox').where('id', '=', 'future').execute()
})

test('with the database down: /healthz 200, /readyz 503, and levels are served from the cache', async () => {
  const visitor = app().browser()
  const { schema } = app().database.db
  expect((await visitor.get('/api/membership-levels')).status).toBe(200)
  await schema.alterTable('contentVersion').renameTo('content_version_away').execute()
  expect((await visitor.get('/healthz')).status).toBe(200)
  const ready = await visitor.get('/readyz')
  expect(ready.status).toBe(503)
  expect(ready.body).toMatchObject({
    status: 'not ready',
    reasons: [{ check: 'database', reason: expect.stringContaining('The database cannot be reached') as string }],
    warnings: [],
  })
  expect((await visitor.get('/api/membership-levels')).status).toBe(200)
  await schema.alterTable('content_version_away').renameTo('contentVersion').execute()
})

test('an outdated schema is not served; one of a newer release is, with a warning', async () => {
  const db = app().database.db as unknown as Kysely<{ migration: { name: string; applied_at: number } }>
  const last = Object.keys(migrations).sort().at(-1) ?? ''
  await db.deleteFrom('migration').where('name', '=', last).execute()
  const older = await app().browser().get('/readyz')
  expect([older.status, older.body.reasons[0]]).toEqual([
    503,
    { check: 'migrations', reason: expect.stringContaining('npm run admin -- migrate') as string },
  ])
  await db
    .insertInto('migration')
    .values([
      { name: last, applied_at: 1 },
      { name: '9999-of-a-newer-release', applied_at: 1 },
    ])
    .execute()
  expect(await warnings()).toEqual(['release'])
  await db.deleteFrom('migration').where('name', '=', '9999-of-a-newer-release').execute()
})

const STATUS_ONLY = { status: 'ready' }
test.each<[string, Record<string, string>]>([
  ['through the proxy', { 'x-forwarded-for': '198.51.100.7' }],
  ['through the proxy, as if from this machine', { 'x-forwarded-for': '127.0.0.1' }],
  ['through the proxy, an empty claim', { 'x-forwarded-for': '' }],
  ['through another proxy', { forwarded: 'for=127.0.0.1' }],
  ['with a token where none is set', { 'x-real-ip': '127.0.0.1', authorization: 'Bearer null' }],
])('/readyz returns only the status for requests %s', async (_name, headers) => {
  const response = await fetch(`${app().url}/readyz`, { headers })
  expect([response.status, await response.json()]).toEqual([200, STATUS_ONLY])
})

test('/readyz returns 503 to a proxy, without the reasons', async () => {
  const { schema } = app().database.db
  await schema.alterTable('contentVersion').renameTo('content_version_away').execute()
  const response = await fetch(`${app().url}/readyz`, { headers: { 'x-forwarded-for': '198.51.100.7' } })
  await schema.alterTable('content_version_away').renameTo('contentVersion').execute()
  expect([response.status, await response.json()]).toEqual([503, { status: 'not ready' }])
})

test('/healthz is public', async () => {
  const response = await fetch(`${app().url}/healthz`, { headers: { 'x-forwarded-for': '198.51.100.7' } })
  expect([response.status, await response.json()]).toEqual([200, { status: 'alive' }])
})

test('the metrics token reveals the details from anywhere, and only the correct one', async () => {
  await using other = await createTestApp({ environment: { METRICS_TOKEN: 'a-token-for-the-metrics-of-tests' } })
  const requestReadyz = async (authorization: string) =>
    Object.keys(
      (await (
        await fetch(`${other.url}/readyz`, { headers: { authorization, 'x-forwarded-for': '198.51.100.7' } })
      ).json()) as object,
    )
  expect(await requestReadyz('Bearer a-token-for-the-metrics-of-tests')).toContain('warnings')
  for (const wrong of ['Bearer a-token-for-the-metrics-of-test', 'Basic a-token-for-the-metrics-of-tests', ''])
    expect(await requestReadyz(wrong)).toEqual(['status'])
})

test('requests within a second share one result, and a process that starts draining reports it immediately', async () => {
  // The cache's own clock stands still: on a busy machine 200 requests take longer than the cache lasts.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let runs = 0
  let isLeaving = false
  const http = Fastify()
  healthRoutes(http, {
    checks: [
      {
        name: 'counted',
        isRequired: true,
        failureMessage: 'silent',
        async check() {
          runs++
          await sleep(30)
          return isLeaving ? 'leaving' : null
        },
      },
    ],
    readDetails: async () => ({}),
    mayReadDetails: () => false,
    isDraining: () => isLeaving,
    cacheMs: 200,
  })
  const requestReadyz = async () => (await http.inject('/readyz')).statusCode
  expect(new Set(await Promise.all(Array.from({ length: 200 }, requestReadyz)))).toEqual(new Set([200]))
  expect([await requestReadyz(), runs]).toEqual([200, 1])
  isLeaving = true
  expect([await requestReadyz(), await requestReadyz(), runs]).toEqual([503, 503, 2])
  isLeaving = false
  vi.advanceTimersByTime(200)
  expect([await requestReadyz(), runs]).toEqual([200, 3])
  await http.close()
})
