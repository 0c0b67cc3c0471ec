/// <reference lib="esnext.temporal" />
import { CATEGORY_LABELS, type NewsItem } from '#contract/news.ts'

interface FeedFacts {
  /** The association's. */
  name: string
  siteUrl: string
  timeZone: string
}

/** What readers of feeds usually keep. */
const MOST_ITEMS = 50

/** News as an RSS 2.0 feed, the latest first. A day of publication is its midnight on the association's clock. */
export function writeFeed(items: readonly NewsItem[], { name, siteUrl, timeZone }: FeedFacts): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '<channel>',
    element('title', `News of ${name}`),
    element('link', `${siteUrl}/news`),
    element('description', `Announcements, reports and news of members of ${name}.`),
    element('language', 'en-us'),
    `<atom:link href="${escapeXml(`${siteUrl}/news.rss`)}" rel="self" type="application/rss+xml"/>`,
    ...items.slice(0, MOST_ITEMS).map((item) => feedItem(item, siteUrl, timeZone)),
    '</channel>',
    '</rss>',
    '',
  ].join('\n')
}

function feedItem({ id, title, excerpt, date, author, category }: NewsItem, siteUrl: string, timeZone: string): string {
  const url = `${siteUrl}/news/${id}`
  return [
    '<item>',
    element('title', title),
    element('link', url),
    `<guid isPermaLink="true">${escapeXml(url)}</guid>`,
    element('pubDate', publicationDate(date, timeZone)),
    element('dc:creator', author),
    element('category', CATEGORY_LABELS[category]),
    element('description', excerpt),
    '</item>',
  ].join('\n')
}

/** RFC 822 with a four-digit year: 'Sat, 21 Nov 2026 00:00:00 -0500'. */
function publicationDate(day: string, timeZone: string): string {
  const start = Temporal.PlainDate.from(day).toZonedDateTime(timeZone)
  const [weekday, month] = [
    start.toLocaleString('en-US', { weekday: 'short' }),
    start.toLocaleString('en-US', { month: 'short' }),
  ]
  const date = String(start.day).padStart(2, '0')
  const time = start.toPlainTime().toString({ smallestUnit: 'second' })
  return `${weekday}, ${date} ${month} ${start.year} ${time} ${start.offset.replace(':', '')}`
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`
}

/** XML 1.0 has no place for control characters, escaped or not. */
function escapeXml(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- these are what must not be written
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  )
}
