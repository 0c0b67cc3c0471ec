import type { ProviderSetting, ProviderValues } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { decryptText } from '#server/lib/encryption.ts'
import type { Secrets } from '#server/lib/secrets.ts'

/**
 * The settings of providers that officers stored in the console. What was encrypted under another session secret is left out: the site then misses
 * that provider.
 */
export async function readProviderSettings(db: Db, secrets: Pick<Secrets, 'key'>): Promise<ProviderValues> {
  const rows = await db.selectFrom('providerSetting').select(['name', 'value']).execute()
  const values: ProviderValues = {}
  for (const { name, value } of rows) {
    const text = decryptText(secrets.key('provider-setting'), value)
    if (text !== null) values[name] = text
  }
  return values
}

export async function listProviderNames(db: Db): Promise<ProviderSetting[]> {
  const rows = await db.selectFrom('providerSetting').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** When settings were last stored; null if never. */
export async function findProvidersSavedAt(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('providerSetting')
    .select(({ fn }) => fn.max('savedAt').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}
