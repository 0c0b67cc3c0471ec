import { expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { createContentCache } from '#server/features/content/content-cache.service.ts'
import { createPageServices } from '#server/features/content/page-content.service.ts'
import { replaceRecords } from '#server/features/content-store/content.commands.ts'
import { eventKind, newsKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'

interface Report {
  fields: Record<string, unknown>
  message: string
}

async function createCache(app: TestApp) {
  const reports: Report[] = []
  const cache = await createContentCache({
    db: app.database.db,
    clock: { now: app.now, close() {} },
    log: {
      debug() {},
      info() {},
      error() {},
      warn: (fields, message) =>
        void reports.push({ fields: fields as Record<string, unknown>, message: String(message) }),
    },
    timeZone: 'America/New_York',
    siteUrl: 'http://localhost',
    polling: false,
  })
  const pages = createPageServices(app.config, cache, () => true, { pictures: async () => [] })
  return { reports, cache, pages }
}

async function writeEvents(app: TestApp, dates: string[]): Promise<void> {
  const { db } = app.database
  const events = dates.map((date, index) => ({
    id: `event-${index}`,
    title: `Event ${index}`,
    description: 'Dinner.',
    date,
    location: 'Duluth',
    imageKey: 'hero-gala',
    detailsLink: '/events',
    body: 'Tables seat **ten**.',
  }))
  const records = events.map((value) => ({ id: value.id, value }))
  await replaceRecords(db, eventKind, records, { now: app.now() })
  await incrementContentVersion(db)
}

test('a date that cannot be read is reported once for each version of the content, with the event and the text', async () => {
  await using app = await createTestApp()
  const { reports, cache } = await createCache(app)
  expect(reports).toEqual([])
  await writeEvents(app, ['December 12-14, 2026', 'To be announced', 'February 30, 2027'])
  await cache.refresh()
  const message = 'the date of an event cannot be read: it is shown as past'
  const both = [
    { fields: { event: 'event-1', date: 'To be announced' }, message },
    { fields: { event: 'event-2', date: 'February 30, 2027' }, message },
  ]
  expect(reports).toEqual(both)
  await app.advance(36 * 3_600_000)
  await cache.refresh()
  expect(reports).toEqual(both)
  await incrementContentVersion(app.database.db)
  await cache.refresh()
  expect(reports).toEqual([...both, ...both])
})

test('lists leave out the page text, and the page has times with the offset of the day', async () => {
  await using app = await createTestApp()
  await writeEvents(app, ['July 4, 2026, 6 PM - 10 PM'])
  const { pages } = await createCache(app)
  const [listed] = await pages.events()
  expect(listed).toMatchObject({ id: 'event-0', startsOn: '2026-07-04', startsAt: '18:00', endsAt: '22:00' })
  expect(listed).not.toHaveProperty('html')
  const event = await pages.event('event-0')
  expect(event?.html).toContain('<strong>ten</strong>')
  expect([event?.startDate, event?.endDate]).toEqual(['2026-07-04T18:00:00-04:00', '2026-07-04T22:00:00-04:00'])
  expect(await pages.event('none')).toBeNull()
})

test('the calendars are documents: one of all events, one of each with a known date, none of any other', async () => {
  await using app = await createTestApp()
  await writeEvents(app, ['December 12-14, 2026', 'To be announced'])
  await app.app.refreshContent()
  const { findDocument } = app.app
  const all = findDocument('/events.ics')
  expect(all).toMatchObject({ contentType: 'text/calendar; charset=utf-8' })
  expect(all?.text.match(/^UID:.*$/gm)).toEqual(['UID:event-0@localhost'])
  const one = findDocument('/events/event-0.ics')
  expect(one?.fileName).toBe('event-0.ics')
  expect(one?.text).toContain('DTSTART;VALUE=DATE:20261212\r\nDTEND;VALUE=DATE:20261215\r\n')
  for (const path of ['/events/event-1.ics', '/events/none.ics', '/events/a/b.ics', '/events']) {
    expect(findDocument(path)).toBeNull()
  }
})

test('the news feed is a document that follows the content', async () => {
  await using app = await createTestApp({ samples: true })
  const { findDocument } = app.app
  const feed = findDocument('/news.rss')
  expect(feed?.contentType).toBe('application/rss+xml; charset=utf-8')
  expect(feed?.text.match(/<item>/g)?.length).toBeGreaterThanOrEqual(10)
  await replaceRecords(app.database.db, newsKind, [], { now: app.now() })
  await incrementContentVersion(app.database.db)
  await app.app.refreshContent()
  expect(findDocument('/news.rss')?.text).not.toContain('<item>')
})

test('every sample has a readable date and its own image', async () => {
  await using app = await createTestApp({ samples: true })
  const { pages, reports } = await createCache(app)
  expect(reports).toEqual([])
  const pictures = [...(await pages.events()), ...(await pages.news())].flatMap(({ imageKey }) => imageKey)
  expect(pictures.length).toBeGreaterThanOrEqual(25)
  expect(new Set(pictures).size).toBe(pictures.length)
})
