import { expect, test } from 'vitest'
import { readContentFiles } from '#server/features/seed/content-files.service.ts'
import { SAMPLE_DIRECTORY } from '#server/config/profiles.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()

test('lists the levels on sale in order, with only the public fields', async () => {
  const { status, body, headers } = await app().browser().get('/api/membership-levels')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(
    body.map(({ key, unitAmount, currency, interval, intervalCount, isRecurring }: Record<string, unknown>) => [
      key,
      unitAmount,
      currency,
      interval,
      intervalCount,
      isRecurring,
    ]),
  ).toEqual(
    readContentFiles(SAMPLE_DIRECTORY).levels.map(({ key, unitAmount, currency, interval, intervalCount }) =>
      interval
        ? [key, unitAmount, currency, interval, intervalCount ?? 1, true]
        : [key, unitAmount, currency, null, null, false],
    ),
  )
  for (const level of body) {
    expect(Object.keys(level as object).sort()).toEqual([
      '_id',
      'currency',
      'description',
      'interval',
      'intervalCount',
      'isRecurring',
      'key',
      'name',
      'unitAmount',
    ])
  }
})

test('the provider’s price never leaves the site', async () => {
  await app().browser().registerAndStart()
  await app().database.db.updateTable('contentVersion').set({ version: 99 }).execute()
  await app().app.refreshContent()
  expect(JSON.stringify((await app().browser().get('/api/membership-levels')).body)).not.toContain('price_')
})

test('a change by an officer shows as soon as the content version rises', async () => {
  const before = await app().browser().get('/api/membership-levels')
  await app()
    .database.db.updateTable('membershipLevel')
    .set({ unitAmount: 12_000 })
    .where('key', '=', 'annual_member')
    .execute()
  expect((await app().browser().get('/api/membership-levels')).body).toEqual(before.body)
  await app()
    .database.db.updateTable('contentVersion')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .execute()
  await app().app.refreshContent()
  const after = await app().browser().get('/api/membership-levels')
  expect(after.body[0].unitAmount).toBe(12_000)
})

test('HEAD works for the reachability check, and unknown query parameters are ignored', async () => {
  expect((await app().browser().call('HEAD', '/api/membership-levels')).status).toBe(200)
  const { body } = await app().browser().get('/api/membership-levels')
  expect((await app().browser().get('/api/membership-levels?_=1&role=officer&key=x')).body).toEqual(body)
})
