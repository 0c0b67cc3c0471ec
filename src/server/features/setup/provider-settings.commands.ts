import type { ProviderValues, ProviderSetting } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { encryptText } from '#server/lib/encryption.ts'
import type { Secrets } from '#server/lib/secrets.ts'

/** Stores settings of a provider, encrypted; the site uses them after its next start. */
export async function saveProviderSettings(
  db: Db,
  secrets: Pick<Secrets, 'key'>,
  { values, by, now }: { values: ProviderValues; by: string; now: number },
): Promise<void> {
  for (const [name, text] of Object.entries(values)) {
    const row = { value: encryptText(secrets.key('provider-setting'), text), savedAt: now, savedBy: by }
    await db
      .insertInto('providerSetting')
      .values({ name: name as ProviderSetting, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute()
  }
}
