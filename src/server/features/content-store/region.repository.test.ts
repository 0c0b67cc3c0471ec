import { expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { withTimeZone } from './region.queries.ts'

const db = useTestDatabase({ seeded: true })
const zoneWith = async (environment: Record<string, string>) =>
  (await withTimeZone(readConfig(environment), db())).timeZone

test('the time zone is that of the settings, unless the environment names another', async () => {
  expect(await zoneWith({})).toBe('America/New_York')
  const value = JSON.stringify({ country: 'IN', currency: 'inr', timeZone: 'Asia/Kolkata' })
  await db().updateTable('contentRecord').set({ value }).where('kind', '=', 'settings-region').execute()
  expect(await zoneWith({})).toBe('Asia/Kolkata')
  expect(await zoneWith({ ASSOCIATION_TIMEZONE: 'Pacific/Honolulu' })).toBe('Pacific/Honolulu')
})

test('a site from before the setting keeps its days', async () => {
  await db().deleteFrom('contentRecord').where('kind', '=', 'settings-region').execute()
  expect(await zoneWith({})).toBe('America/New_York')
})
