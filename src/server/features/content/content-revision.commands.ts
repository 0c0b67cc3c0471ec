import type { Db } from '#server/db/database.ts'
import { type Revision } from './content-revision.queries.ts'

/** Adds a revision as the newest. Call after `lockContent`. */
export async function addRevision(db: Db, { recordId, value, ...revision }: Revision): Promise<void> {
  await db
    .updateTable('content_revision')
    .set({ is_newest: 0 })
    .where('kind', '=', revision.kind)
    .where('record_id', '=', recordId)
    .where('is_newest', '=', 1)
    .execute()
  await db
    .insertInto('content_revision')
    .values({
      id: revision.id,
      kind: revision.kind,
      record_id: recordId,
      number: revision.number,
      action: revision.action,
      value: JSON.stringify(value),
      saved_by: revision.savedBy,
      saved_at: revision.savedAt,
      publish_at: revision.publishAt,
      is_newest: 1,
      held: revision.held ?? null,
    })
    .execute()
}
