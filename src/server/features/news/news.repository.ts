import type { NewsCategory, NewsItem } from '#contract/news.ts'
import type { Db } from '#server/db/database.ts'

/** An item as it is kept: its content still Markdown. */
export type StoredNewsItem = NewsItem & { content: string }

/** The latest first. */
export async function listNews(db: Db): Promise<StoredNewsItem[]> {
  const rows = await db.selectFrom('news_item').selectAll().orderBy('day', 'desc').orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    date: row.day,
    excerpt: row.excerpt,
    content: row.content,
    category: row.category as NewsCategory,
    author: row.author,
    imageKey: row.image_key,
  }))
}

/** Call with `raiseContentVersion` in one transaction. */
export async function replaceNews(db: Db, items: readonly StoredNewsItem[]): Promise<void> {
  await db.deleteFrom('news_item').execute()
  if (items.length > 0) await db.insertInto('news_item').values(items.map(rowOf)).execute()
}

/** A new item, or another version of one. Call with `raiseContentVersion` in one transaction. */
export async function saveNewsItem(db: Db, item: StoredNewsItem): Promise<void> {
  const { id: _id, ...changes } = rowOf(item)
  await db
    .insertInto('news_item')
    .values(rowOf(item))
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute()
}

/** Call with `raiseContentVersion` in one transaction. */
export async function removeNewsItem(db: Db, id: string): Promise<void> {
  await db.deleteFrom('news_item').where('id', '=', id).execute()
}

function rowOf({ date, imageKey, ...item }: StoredNewsItem) {
  return { ...item, day: date, image_key: imageKey }
}
