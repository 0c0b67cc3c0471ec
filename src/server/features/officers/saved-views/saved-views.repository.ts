import { sql, type Selectable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { readFlags, type ReadFlags } from '#server/db/schema/column-values.ts'
import type { SavedViewTable } from '#server/db/schema/console-schema.ts'
import { newId } from '#server/lib/ids.ts'

type View = ReadFlags<Selectable<SavedViewTable>, 'isShared'>
/** A view and who saved it; null for a former member. */
export type StoredView = View & { ownerName: string | null }

/** The views of a list that an officer sees, by name. */
export async function listViews(db: Db, { list, ownerId }: { list: string; ownerId: string }): Promise<StoredView[]> {
  const rows = await db
    .selectFrom('savedView')
    .leftJoin('account', 'account.id', 'savedView.ownerId')
    .selectAll('savedView')
    .select(sql<string | null>`account.first_name || ' ' || account.last_name`.as('ownerName'))
    .where('list', '=', list)
    .where((eb) => eb.or([eb('ownerId', '=', ownerId), eb('isShared', '=', 1)]))
    .orderBy(sql`lower(name)`)
    .orderBy('savedView.id')
    .execute()
  return rows.map((row) => readFlags(row, 'isShared'))
}

export async function findView(db: Db, id: string): Promise<View | null> {
  const row = await db.selectFrom('savedView').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readFlags(row, 'isShared') : null
}

/** Replaces the owner's view of the same list and name. */
export async function saveView(
  db: Db,
  { isShared, ...view }: Pick<View, 'list' | 'name' | 'query' | 'ownerId' | 'isShared'>,
  now: number,
): Promise<void> {
  const set = { query: view.query, isShared: isShared ? 1 : 0 }
  await db
    .insertInto('savedView')
    .values({ ...view, ...set, id: newId(now), createdAt: now })
    .onConflict((conflict) => conflict.columns(['ownerId', 'list', 'name']).doUpdateSet(set))
    .execute()
}

export async function deleteView(db: Db, id: string): Promise<void> {
  await db.deleteFrom('savedView').where('id', '=', id).execute()
}
