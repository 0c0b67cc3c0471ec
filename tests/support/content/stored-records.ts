import type * as z from 'zod/mini'
import type { Db } from '#server/db/database.ts'
import { SINGLE_RECORD_ID, type ContentKind } from '#server/features/content-store/content-kind.rules.ts'
import { findRecord } from '#server/features/content-store/content.queries.ts'

/** Stores a value unchecked and without a revision, as an older release or a webmaster may have left it. */
export async function storeRecord(
  db: Db,
  { kind }: Pick<ContentKind, 'kind'>,
  value: unknown,
  id = SINGLE_RECORD_ID,
): Promise<void> {
  const row = { value: JSON.stringify(value), revision: null, updatedAt: 0 }
  await db
    .insertInto('contentRecord')
    .values({ kind, id, ...row })
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(row))
    .execute()
}

/** Changes a stored record; returns its former value. */
export async function changeRecord<S extends z.core.$ZodType>(
  db: Db,
  kind: ContentKind<S>,
  change: (value: z.core.output<S>) => unknown,
  id = SINGLE_RECORD_ID,
): Promise<z.core.output<S>> {
  const record = await findRecord(db, kind, id)
  if (!record) throw new Error(`There is no ${kind.kind}/${id}`)
  await storeRecord(db, kind, change(record.value), id)
  return record.value
}
