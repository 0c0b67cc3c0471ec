import type { NewsCategory, NewsItem } from '#contract/public/news.ts'
import type { Db } from '#server/db/database.ts'

/** A news item as stored, with its Markdown source. */
export type StoredNewsItem = NewsItem & { content: string }

/** Newest first. */
export async function listNews(db: Db): Promise<StoredNewsItem[]> {
  const rows = await db.selectFrom('newsItem').selectAll().orderBy('day', 'desc').orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    date: row.day,
    excerpt: row.excerpt,
    content: row.content,
    category: row.category as NewsCategory,
    author: row.author,
    imageKey: row.imageKey,
  }))
}

export function rowOf({ date, imageKey, ...item }: StoredNewsItem) {
  return { ...item, day: date, imageKey }
}
