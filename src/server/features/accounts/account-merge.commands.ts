import { writeJson } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import { type AccountMerge } from './account-merge.queries.ts'

export async function saveMerge(
  db: Db,
  merge: Omit<AccountMerge, 'mergedAt' | 'undoneAt'> & { reason: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('accountMerge')
    .values({ ...writeJson(merge, 'changes'), mergedAt: now, undoneAt: null, undoneBy: null })
    .execute()
}

/** Makes the merges of these accounts final: erases what was stored to undo them. */
export async function finalizeMerges(db: Db, keptIds: readonly string[]): Promise<void> {
  await db.updateTable('accountMerge').set({ changes: '[]' }).where('keptId', 'in', keptIds).execute()
}

/** Returns true only for the call that marks the merge as undone. */
export async function markMergeUndone(db: Db, id: string, { by, now }: { by: string; now: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accountMerge')
    .set({ undoneAt: now, undoneBy: by, changes: '[]' })
    .where('id', '=', id)
    .where('undoneAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Erases the data stored for undoing merges older than `before`; it contains addresses. */
export async function deleteOldMergeChanges(db: Db, before: number): Promise<void> {
  await db
    .updateTable('accountMerge')
    .set({ changes: '[]' })
    .where('mergedAt', '<', before)
    .where('changes', '<>', '[]')
    .execute()
}
