import { writeJson } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
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
