/// <reference lib="esnext.temporal" />

export interface Feed {
  title: string
  /** The page it is the feed of. */
  url: string
  /** Its own address. */
  feedUrl: string
  description: string
  /** The latest first. */
  items: readonly FeedItem[]
}

export interface FeedItem {
  title: string
  /** Permanent: readers know an item by it. */
  url: string
  published: Temporal.ZonedDateTime
  description: string
  author?: string
  category?: string
}

/** What readers of feeds usually keep. */
const MOST_ITEMS = 50

/** An RSS 2.0 feed. */
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
    ...items.slice(0, MOST_ITEMS).map(writeItem),
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
