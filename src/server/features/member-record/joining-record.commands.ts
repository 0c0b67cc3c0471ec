import type { Db } from '#server/db/database.ts'
import type { JoiningRecord } from '#server/db/schema/account-schema.ts'
import { FIRST_AUDIENCE } from './audience.rules.ts'
import { saveEntry } from './record-value.commands.ts'

/** Stores the values of a registration that became an account. */
export async function saveJoiningRecord(
  db: Db,
  { accountId, record }: { accountId: string; record: JoiningRecord },
  now: number,
): Promise<void> {
  const { values, confirmedOn } = record
  for (const [fieldKey, value] of Object.entries(values)) {
    const entry = { accountId, fieldKey, value, audience: FIRST_AUDIENCE.owner, confirmedOn }
    await saveEntry(db, { ...entry, changedBy: 'owner', changedAt: now })
  }
}
