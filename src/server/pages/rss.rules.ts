/// <reference lib="esnext.temporal" />

export interface Feed {
  title: string
  /** The page that the feed is about. */
  url: string
  /** The URL of the feed itself. */
  feedUrl: string
  description: string
  /** Newest first. */
  items: readonly FeedItem[]
}

export interface FeedItem {
  title: string
  /** Permanent: feed readers identify the item by it. */
  url: string
  published: Temporal.ZonedDateTime
  description: string
  author?: string
  category?: string
}

/** As many as feed readers usually keep. */
const MAX_ITEMS = 50

/** Writes an RSS 2.0 feed. */
export function writeRss({ title, url, feedUrl, description, items }: Feed): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '<channel>',
    element('title', title),
    element('link', url),
    element('description', description),
    element('language', 'en-us'),
    `<atom:link href="${escapeXml(feedUrl)}" rel="self" type="application/rss+xml"/>`,
    ...items.slice(0, MAX_ITEMS).map(writeItem),
    '</channel>',
    '</rss>',
    '',
  ].join('\n')
}

function writeItem({ title, url, published, description, author, category }: FeedItem): string {
  return [
    '<item>',
    element('title', title),
    element('link', url),
    `<guid isPermaLink="true">${escapeXml(url)}</guid>`,
    element('pubDate', publicationDate(published)),
    ...(author === undefined ? [] : [element('dc:creator', author)]),
    ...(category === undefined ? [] : [element('category', category)]),
    element('description', description),
    '</item>',
  ].join('\n')
}

/** RFC 822 with a four-digit year: 'Sat, 21 Nov 2026 00:00:00 -0500'. */
function publicationDate(time: Temporal.ZonedDateTime): string {
  const [weekday, month] = [
    time.toLocaleString('en-US', { weekday: 'short' }),
    time.toLocaleString('en-US', { month: 'short' }),
  ]
  const date = String(time.day).padStart(2, '0')
  const clock = time.toPlainTime().toString({ smallestUnit: 'second' })
  return `${weekday}, ${date} ${month} ${time.year} ${clock} ${time.offset.replace(':', '')}`
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`
}

/** Escapes text and removes control characters, which XML 1.0 forbids even when escaped. */
function escapeXml(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- these must not be written
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  )
}
