import type { Db } from '#server/db/database.ts'
import { type Revision } from './content-revision.queries.ts'

/** Adds a revision as the newest. Call after `lockContent`. */
export async function addRevision(db: Db, { recordId, value, ...revision }: Revision): Promise<void> {
  await db
    .updateTable('contentRevision')
    .set({ isNewest: 0 })
    .where('kind', '=', revision.kind)
    .where('recordId', '=', recordId)
    .where('isNewest', '=', 1)
    .execute()
  await db
    .insertInto('contentRevision')
    .values({
      id: revision.id,
      kind: revision.kind,
      recordId,
      number: revision.number,
      action: revision.action,
      value: JSON.stringify(value),
      savedBy: revision.savedBy,
      savedAt: revision.savedAt,
      publishAt: revision.publishAt,
      isNewest: 1,
      held: revision.held ?? null,
    })
    .execute()
}
