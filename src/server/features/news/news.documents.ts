import type { NewsItem } from '#contract/news.ts'
import type { FindDocument } from '#server/pages/documents.ts'
import { writeFeed } from './news-feed.rules.ts'

interface NewsDocumentTools {
  /** The latest first. */
  news(): Iterable<NewsItem>
  /** The association's. */
  name(): string
  siteUrl: string
  timeZone: string
}

/** The feed of all news. */
export function newsDocuments({ news, name, siteUrl, timeZone }: NewsDocumentTools): FindDocument {
  return (path) =>
    path === '/news.rss'
      ? {
          contentType: 'application/rss+xml; charset=utf-8',
          text: writeFeed([...news()], { name: name(), siteUrl, timeZone }),
        }
      : null
}
