import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db } from '#server/db/database.ts'
import { SINGLE_RECORD_ID, type ContentKind } from './content-kind.rules.ts'
import { findRecord, listRecords } from './content.queries.ts'

/** Call in the transaction of every content write. */
export async function incrementContentVersion(db: Db): Promise<void> {
  await db
    .insertInto('contentVersion')
    .values({ id: 1, version: 1, shipped: null, profile: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ version: sql`content_version.version + 1` }))
    .execute()
}

/** Locks the content: other seeds and content writes wait until this transaction ends. */
export async function lockContent(db: Db): Promise<void> {
  await db
    .insertInto('contentVersion')
    .values({ id: 1, version: 0, shipped: null, profile: null })
    // Updates the row to its own value, because only an update locks an existing row.
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ version: sql`content_version.version` }))
    .execute()
}

export async function saveShippedHash(db: Db, shipped: string): Promise<void> {
  await db.updateTable('contentVersion').set({ shipped }).execute()
}

/** Records which profile the database was filled with. */
export async function saveProfile(db: Db, profile: string): Promise<void> {
  await db.updateTable('contentVersion').set({ profile }).execute()
}

/**
 * Stores a record as visitors see it, after checking it by the schema of its kind. Call in one transaction with `incrementContentVersion`. Returns
 * the stored value, which the schema may have completed.
 * @param wasPublished for a value that was on the site before, which a schema that has become stricter since must not lose
 * @throws ZodError
 */
export async function writeRecord(
  db: Db,
  { kind, schema }: ContentKind,
  record: { id: string; value: unknown; revision: number | null },
  { now, wasPublished = false }: { now: number; wasPublished?: boolean },
): Promise<unknown> {
  const { id, revision } = record
  const checked = z.safeParse(schema, record.value)
  if (!checked.success && !wasPublished) throw checked.error
  const value = checked.success ? checked.data : record.value
  const row = { value: JSON.stringify(value), revision, updatedAt: now }
  await db
    .insertInto('contentRecord')
    .values({ kind, id, ...row })
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(row))
    .execute()
  return value
}

/** Of a site that no one has used yet, before other starter content. */
export async function deleteAllRecords(db: Db): Promise<void> {
  await db.deleteFrom('contentRecord').execute()
}

/** Call in one transaction with `incrementContentVersion`. */
export async function deleteRecord(db: Db, { kind }: ContentKind, id: string): Promise<void> {
  await db.deleteFrom('contentRecord').where('kind', '=', kind).where('id', '=', id).execute()
}

/**
 * Makes the given records the only ones of their kind, or adds them to the others. A record whose value stays the same keeps its revision. Call in one
 * transaction with `incrementContentVersion`.
 */
export async function replaceRecords<S extends z.core.$ZodType>(
  db: Db,
  kind: ContentKind<S>,
  records: readonly { id: string; value: z.core.output<S> }[],
  { now, keepsOthers = false }: { now: number; keepsOthers?: boolean },
): Promise<void> {
  const known = new Map((await listRecords(db, kind)).map((record) => [record.id, JSON.stringify(record.value)]))
  for (const { id, value } of records) {
    if (known.get(id) !== JSON.stringify(value)) await writeRecord(db, kind, { id, value, revision: null }, { now })
    known.delete(id)
  }
  if (!keepsOthers) for (const id of known.keys()) await deleteRecord(db, kind, id)
}

/** Adds missing fields of a group of settings; existing ones are unchanged. Returns true if any were added. */
export async function addMissingFields(
  db: Db,
  kind: ContentKind,
  shipped: object,
  { now }: { now: number },
): Promise<boolean> {
  const stored = await findRecord(db, kind, SINGLE_RECORD_ID)
  const value: object = stored?.value ?? {}
  if (Object.keys(shipped).every((name) => name in value)) return false
  // Its other fields may have been stored before the schema became stricter.
  const whole = { id: SINGLE_RECORD_ID, value: { ...shipped, ...value }, revision: null }
  await writeRecord(db, kind, whole, { now, wasPublished: true })
  return true
}
