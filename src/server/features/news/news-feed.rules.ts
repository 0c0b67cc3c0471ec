/// <reference lib="esnext.temporal" />
import { CATEGORY_LABELS, type NewsItem } from '#contract/news.ts'
import { writeRss } from '#server/pages/rss.rules.ts'

interface FeedFacts {
  /** The association's. */
  name: string
  siteUrl: string
  timeZone: string
}

/** News as a feed, the latest first. A day of publication is its midnight on the association's clock. */
export function writeFeed(items: readonly NewsItem[], { name, siteUrl, timeZone }: FeedFacts): string {
  return writeRss({
    title: `News of ${name}`,
    url: `${siteUrl}/news`,
    feedUrl: `${siteUrl}/news.rss`,
    description: `Announcements, reports and news of members of ${name}.`,
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
