import { describe, expect, test } from 'vitest'
import { createPageServices } from './page-content.service.ts'
import { createContentCache } from './content-cache.service.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { findCommittees, findLeaderBody, listPastPresidents } from '#server/features/content-store/offices.queries.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

describe('an empty database is seeded', () => {
  test('with the sample bodies, committees and presidents, in order', async () => {
    await using app = await createTestApp({ samples: true })
    const { db } = app.database
    const committee = await findLeaderBody(db, 'executive-committee')
    expect(committee?.term).toBe('2025-26')
    expect(committee?.members.map(({ role }) => role)).toEqual([
      'President',
      'President Elect',
      'Vice President',
      'Secretary',
      'Treasurer',
      'Past President',
    ])
    expect((await findLeaderBody(db, 'board-trustees'))?.term).toBe('2024-25')
    const committees = await findCommittees(db)
    expect(committees?.term).toBe('2024-25')
    expect(committees?.committees).toHaveLength(8)
    const presidents = await listPastPresidents(db)
    expect(presidents.map(({ year }) => year)).toEqual(Array.from({ length: 37 }, (_, index) => 2025 - index))
  })

  test('without sample people if samples are off', async () => {
    await using app = await createTestApp()
    const { db } = app.database
    expect(await findLeaderBody(db, 'board-directors')).toBeNull()
    expect(await findCommittees(db)).toBeNull()
    expect(await listPastPresidents(db)).toEqual([])
  })
})

test('pages show the new term, and the old one is kept', async () => {
  await using app = await createTestApp({ samples: true })
  const { db } = app.database
  const before = await findLeaderBody(db, 'board-trustees')
  await db
    .insertInto('leaderBody')
    .values({ body: 'board-trustees', term: '2026-27', title: 'Board of Trustees 2026-27', lead: 'New' })
    .execute()
  const after = await findLeaderBody(db, 'board-trustees')
  expect(before?.members.length).toBeGreaterThan(0)
  expect(after).toMatchObject({ term: '2026-27', members: [] })
})

test('pages show a change once the content version increases, and link only to known paths', async () => {
  await using app = await createTestApp()
  const { db } = app.database
  const clock = { now: app.now, close() {} }
  const cache = await createContentCache({
    db,
    clock,
    log: quiet,
    timeZone: 'America/New_York',
    siteUrl: 'http://localhost',
    polling: false,
  })
  const pages = createPageServices(app.config, cache, (path) => path.startsWith('/become-a-member'), {
    pictures: async () => [],
  })
  const markdown = 'See [memberships](/become-a-member) and [the moon](/moon), or [write](mailto:a@example.org).'
  await db.updateTable('page').set({ markdown }).where('slug', '=', 'about').execute()
  await cache.refresh()
  expect((await pages.textPage('about'))?.html).not.toContain('the moon')
  await incrementContentVersion(db)
  await cache.refresh()
  const about = await pages.textPage('about')
  expect(about?.html).toContain('<a href="/become-a-member">memberships</a> and the moon')
  expect(about?.html).toContain('<a href="mailto:a@example.org">write</a>')
  expect(about?.more.every(({ path }) => path.startsWith('/become-a-member'))).toBe(true)
  expect((await pages.faq()).length).toBeGreaterThanOrEqual(14)
  cache.stop()
})
