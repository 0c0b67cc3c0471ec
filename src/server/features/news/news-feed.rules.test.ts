import { expect, test } from 'vitest'
import type { NewsItem } from '#contract/public/news.ts'
import { writeNewsFeed } from './news-feed.rules.ts'

const association = { name: 'Physicians & Friends', siteUrl: 'https://www.example.org', timeZone: 'America/New_York' }

const item: NewsItem = {
  id: 'second-chair',
  title: 'A <second> chair & more',
  date: '2026-11-02',
  excerpt: 'Carried "up" one flight\u0007.',
  category: 'announcement',
  author: 'Free Clinic Committee',
  imageKey: 'clinic',
}

test('the feed has its own URL, and each item a permanent one', () => {
  expect(writeNewsFeed([item], association)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>Physicians &amp; Friends news</title>
<link>https://www.example.org/news</link>
<description>Announcements, reports and member news from Physicians &amp; Friends.</description>
<language>en-us</language>
<atom:link href="https://www.example.org/news.rss" rel="self" type="application/rss+xml"/>
<item>
<title>A &lt;second&gt; chair &amp; more</title>
<link>https://www.example.org/news/second-chair</link>
<guid isPermaLink="true">https://www.example.org/news/second-chair</guid>
<pubDate>Mon, 02 Nov 2026 00:00:00 -0500</pubDate>
<dc:creator>Free Clinic Committee</dc:creator>
<category>Announcement</category>
<description>Carried &quot;up&quot; one flight.</description>
</item>
</channel>
</rss>
`)
})

test.each([
  ['2026-07-04', 'Sat, 04 Jul 2026 00:00:00 -0400'],
  ['2026-11-01', 'Sun, 01 Nov 2026 00:00:00 -0400'],
  ['2028-02-29', 'Tue, 29 Feb 2028 00:00:00 -0500'],
])('%s is published at %s', (date, published) => {
  expect(writeNewsFeed([{ ...item, date }], association)).toContain(`<pubDate>${published}</pubDate>`)
})

test('the feed is limited to the newest items', () => {
  const feed = writeNewsFeed(
    Array.from({ length: 500 }, (_, index) => ({ ...item, id: `item-${index}` })),
    association,
  )
  expect(feed.match(/<item>/g)).toHaveLength(50)
  expect(feed).toContain('/news/item-0<')
})

test('a feed without news is valid', () => {
  expect(writeNewsFeed([], association)).not.toContain('<item>')
})
