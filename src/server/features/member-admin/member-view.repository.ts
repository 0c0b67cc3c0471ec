import type { MemberView } from '#contract/console/member-list.ts'
import type { Db } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'

/** An officer's saved views, by name. */
export async function listViews(db: Db, accountId: string): Promise<MemberView[]> {
  return db
    .selectFrom('consoleView')
    .select(['id', 'name', 'query'])
    .where('accountId', '=', accountId)
    .orderBy('name')
    .execute()
}

/** Replaces a view of the same name. */
export async function saveView(
  db: Db,
  { accountId, name, query }: { accountId: string; name: string; query: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('consoleView')
    .values({ id: newId(now), accountId, name, query, createdAt: now })
    .onConflict((conflict) => conflict.columns(['accountId', 'name']).doUpdateSet({ query }))
    .execute()
}

/** No-op for another officer's view. */
export async function deleteView(db: Db, accountId: string, id: string): Promise<void> {
  await db.deleteFrom('consoleView').where('accountId', '=', accountId).where('id', '=', id).execute()
}
