import type { Db } from '#server/db/database.ts'
import { type AccountMerge } from './account-merge.queries.ts'

export async function saveMerge(
  db: Db,
  merge: Omit<AccountMerge, 'mergedAt' | 'undoneAt'> & { reason: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('account_merge')
    .values({
      id: merge.id,
      kept_id: merge.keptId,
      merged_id: merge.mergedId,
      officer_id: merge.officerId,
      reason: merge.reason,
      merged_at: now,
      changes: JSON.stringify(merge.changes),
      undone_at: null,
      undone_by: null,
      kept_login: merge.keptCredentialsFingerprint,
    })
    .execute()
}

/** Makes the merges of these accounts final: erases what was stored to undo them. */
export async function finalizeMerges(db: Db, keptIds: readonly string[]): Promise<void> {
  await db.updateTable('account_merge').set({ changes: '[]' }).where('kept_id', 'in', keptIds).execute()
}

/** Returns true only for the call that marks the merge as undone. */
export async function markMergeUndone(db: Db, id: string, { by, now }: { by: string; now: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account_merge')
    .set({ undone_at: now, undone_by: by, changes: '[]' })
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Erases the data stored for undoing merges older than `before`; it contains addresses. */
export async function deleteOldMergeChanges(db: Db, before: number): Promise<void> {
  await db
    .updateTable('account_merge')
    .set({ changes: '[]' })
    .where('merged_at', '<', before)
    .where('changes', '<>', '[]')
    .execute()
}
