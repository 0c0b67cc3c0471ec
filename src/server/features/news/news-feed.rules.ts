/// <reference lib="esnext.temporal" />
import { CATEGORY_LABELS, type NewsItem } from '#contract/public/news.ts'
import { writeRss } from '#server/pages/rss.rules.ts'

interface FeedOptions {
  /** The association's name. */
  name: string
  siteUrl: string
  timeZone: string
}

/** Writes the news as RSS, newest first. An item is published at midnight of its date in the association's time zone. */
export function writeNewsFeed(items: readonly NewsItem[], { name, siteUrl, timeZone }: FeedOptions): string {
  return writeRss({
    title: `${name} news`,
    url: `${siteUrl}/news`,
    feedUrl: `${siteUrl}/news.rss`,
    description: `Announcements, reports and member news from ${name}.`,
    items: items.map(({ id, title, excerpt, date, author, category }) => ({
      title,
      url: `${siteUrl}/news/${id}`,
      published: Temporal.PlainDate.from(date).toZonedDateTime(timeZone),
      description: excerpt,
      author,
      category: CATEGORY_LABELS[category],
    })),
  })
}
