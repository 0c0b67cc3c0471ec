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
  if (items.length === 0) return
  await db
    .insertInto('news_item')
    .values(items.map(({ date, imageKey, ...item }) => ({ ...item, day: date, image_key: imageKey })))
    .execute()
}
