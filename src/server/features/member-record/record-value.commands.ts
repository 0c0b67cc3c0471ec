import { writeJson } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import type { JoiningRecord } from '#server/db/schema/account-schema.ts'
import { newId } from '#server/lib/ids.ts'
import { FIRST_AUDIENCE } from './audience.rules.ts'
import type { RecordEntry } from './record-value.queries.ts'

/** Stores a value, in place of an earlier one of this field. */
export async function saveEntry(db: Db, entry: Omit<RecordEntry, 'id'>): Promise<void> {
  const { value, audience, changedAt, changedBy, confirmedOn } = entry
  const row = writeJson({ ...entry, id: newId(entry.changedAt) }, 'value')
  const changes = writeJson({ value, audience, changedAt, changedBy, confirmedOn }, 'value')
  await db
    .insertInto('recordValue')
    .values(row)
    .onConflict((conflict) => conflict.columns(['accountId', 'fieldKey']).doUpdateSet(changes))
    .execute()
}

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

export async function deleteEntry(
  db: Db,
  { accountId, fieldKey }: Pick<RecordEntry, 'accountId' | 'fieldKey'>,
): Promise<void> {
  await db.deleteFrom('recordValue').where('accountId', '=', accountId).where('fieldKey', '=', fieldKey).execute()
}

/** The owner has looked at all values. */
export async function confirmEntries(
  db: Db,
  { accountId, keys, day }: { accountId: string; keys: readonly string[]; day: string },
): Promise<void> {
  if (keys.length === 0) return
  await db
    .updateTable('recordValue')
    .set({ confirmedOn: day })
    .where('accountId', '=', accountId)
    .where('fieldKey', 'in', keys)
    .execute()
}

/** Deletes the record of a person for good. */
export async function deleteEntriesOf(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('recordValue').where('accountId', '=', accountId).execute()
}
