import type { Db } from '#server/db/database.ts'
import { type StoredNewsItem, rowOf } from './news.queries.ts'

/** Call in one transaction with `incrementContentVersion`. */
export async function replaceNews(db: Db, items: readonly StoredNewsItem[]): Promise<void> {
  await db.deleteFrom('newsItem').execute()
  if (items.length > 0) await db.insertInto('newsItem').values(items.map(rowOf)).execute()
}

/** Upserts a news item. Call in one transaction with `incrementContentVersion`. */
export async function saveNewsItem(db: Db, item: StoredNewsItem): Promise<void> {
  const { id: _id, ...changes } = rowOf(item)
  await db
    .insertInto('newsItem')
    .values(rowOf(item))
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute()
}

/** Call in one transaction with `incrementContentVersion`. */
export async function deleteNewsItem(db: Db, id: string): Promise<void> {
  await db.deleteFrom('newsItem').where('id', '=', id).execute()
}
