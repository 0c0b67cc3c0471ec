import { afterEach, expect, test, vi } from 'vitest'
import { readConfig, type ConfigError, type ProviderValues } from '#server/config/config.ts'
import type { Database, Db } from '#server/db/database.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { openPreparedDatabase } from '#tests/support/prepared-database.ts'
import { saveProviderSettings } from './provider-settings.commands.ts'
import { findProvidersSavedAt } from './provider-settings.queries.ts'
import { explainMissingProviders, watchStoredProviders, withStoredProviders } from './stored-providers.service.ts'

const SECRET = 'a secret for tests, and for tests only, of fair length'
const production = {
  NODE_ENV: 'production',
  SITE_URL: 'https://example.org',
  OFFICERS_EMAIL: 'office@example.org',
  RECAPTCHA_SITE_KEY: 'site',
  RECAPTCHA_SECRET_KEY: 'secret',
  SMTP_URL: 'smtps://mail.example.org',
  MAIL_FROM: 'Association <office@example.org>',
  SESSION_SECRET: SECRET,
}
const keys: ProviderValues = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}
const store = (db: Db, now: number) =>
  saveProviderSettings(db, createSecrets(SECRET), { values: keys, by: 'officer', now })

const opened: Database[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((one) => one.close()))))
async function emptyDatabase(): Promise<Db> {
  const database = await openPreparedDatabase({ filling: 'tables' })
  opened.push(database)
  return database.db
}

test('stored providers are used; what no longer fits, or cannot be read, is explained', async () => {
  const db = await emptyDatabase()
  await store(db, 1)
  const config = await withStoredProviders(readConfig(production), db)
  expect([config.stripe.live, await explainMissingProviders(config, db)]).toEqual([true, []])

  const other = readConfig({ ...production, STRIPE_SECRET_KEY: 'sk_test_2' })
  const refused = await withStoredProviders(other, db).catch((error: unknown) => error)
  expect((refused as ConfigError).lines).toEqual([
    expect.stringContaining('different modes'),
    expect.stringMatching(/^Officers stored STRIPE_.* in the console\. To use other values, set all of them/),
  ])

  const moved = readConfig({ ...production, SESSION_SECRET: 'another secret'.repeat(3) })
  const lines = await explainMissingProviders(await withStoredProviders(moved, db), db)
  expect(lines.at(-1)).toContain('STRIPE_WEBHOOK_SECRET in the console, under another session secret')
  const { STRIPE_SECRET_KEY: _, ...others } = { ...production, ...keys }
  expect(await explainMissingProviders(readConfig(others), db)).toHaveLength(1)
})

test('other instances notice that settings were stored, once', async () => {
  const db = await emptyDatabase()
  const onChange = vi.fn()
  const end = watchStoredProviders(db, { savedAt: await findProvidersSavedAt(db), everyMs: 5, onChange })
  await store(db, 1)
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledOnce())
  end()
  const again = vi.fn()
  const endAgain = watchStoredProviders(db, { savedAt: await findProvidersSavedAt(db), everyMs: 5, onChange: again })
  await store(db, 2)
  await vi.waitFor(() => expect(again).toHaveBeenCalledOnce())
  endAgain()
})
