import type { Db } from '#server/db/database.ts'
import { type Revision } from './content-revision.queries.ts'

/** Replaces the value of the newest revision, an automatically saved draft. Call after `lockContent`. */
export async function replaceNewestValue(
  db: Db,
  { kind, recordId }: Pick<Revision, 'kind' | 'recordId'>,
  { value, savedAt }: Pick<Revision, 'value' | 'savedAt'>,
): Promise<void> {
  await db
    .updateTable('contentRevision')
    .set({ value: JSON.stringify(value), savedAt })
    .where('kind', '=', kind)
    .where('recordId', '=', recordId)
    .where('isNewest', '=', 1)
    .execute()
}

/** Adds a revision as the newest. Call after `lockContent`. */
export async function addRevision(db: Db, revision: Revision): Promise<void> {
  const { kind, recordId, value, held = null } = revision
  await db
    .updateTable('contentRevision')
    .set({ isNewest: 0 })
    .where('kind', '=', kind)
    .where('recordId', '=', recordId)
    .where('isNewest', '=', 1)
    .execute()
  await db
    .insertInto('contentRevision')
    .values({ ...revision, value: JSON.stringify(value), held, isNewest: 1 })
    .execute()
}
