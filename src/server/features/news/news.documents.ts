import type { NewsItem } from '#contract/public/news.ts'
import type { FindDocument } from '#server/pages/documents.ts'
import { writeNewsFeed } from './news-feed.rules.ts'

interface NewsDocumentTools {
  /** Newest first. */
  news(): Iterable<NewsItem>
  /** The association's name. */
  name(): string
  siteUrl: string
  timeZone: string
}

/** Serves the RSS feed of the news. */
export function newsDocuments({ news, name, siteUrl, timeZone }: NewsDocumentTools): FindDocument {
  return (path) =>
    path === '/news.rss'
      ? {
          contentType: 'application/rss+xml; charset=utf-8',
          text: writeNewsFeed([...news()], { name: name(), siteUrl, timeZone }),
        }
      : null
}
