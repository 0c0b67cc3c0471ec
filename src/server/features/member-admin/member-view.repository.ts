import type { MemberView } from '#contract/console-members.ts'
import type { Db } from '#server/db/database.ts'
import { newId } from '#server/platform/ids.ts'

/** An officer's own, by name. */
export async function listViews(db: Db, accountId: string): Promise<MemberView[]> {
  return db
    .selectFrom('console_view')
    .select(['id', 'name', 'query'])
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute()
}

/** One of the same name is replaced. */
export async function keepView(
  db: Db,
  { accountId, name, query }: { accountId: string; name: string; query: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('console_view')
    .values({ id: newId(now), account_id: accountId, name, query, created_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doUpdateSet({ query }))
    .execute()
}

/** Nothing happens to a view of somebody else. */
export async function dropView(db: Db, accountId: string, id: string): Promise<void> {
  await db.deleteFrom('console_view').where('account_id', '=', accountId).where('id', '=', id).execute()
}
