import { describe, expect, test } from 'vitest'
import { createPageServices } from './page-content.service.ts'
import { createContentCache } from './content-cache.service.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { readRecords } from '#server/features/content-store/content.queries.ts'
import {
  committeeKind,
  currentLeaders,
  leaderKind,
  pastPresidentKind,
} from '#server/features/content-store/kinds/people.kinds.ts'
import { pageKind } from '#server/features/content-store/kinds/text.kinds.ts'
import { changeRecord, storeRecord } from '#tests/support/content/stored-records.ts'
import type { TestApp } from '#tests/support/test-app.ts'
import { createTestApp } from '#tests/support/test-app.ts'

async function readOffices({ database: { db } }: TestApp) {
  const records = await readRecords(db)
  return {
    bodyOf: (key: string) => currentLeaders(records).find(({ body }) => body === key),
    committees: records.single(committeeKind),
    presidents: records.single(pastPresidentKind)?.presidents,
  }
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

describe('an empty database is seeded', () => {
  test('with the sample bodies, committees and presidents, in order', async () => {
    await using app = await createTestApp({ samples: true })
    const { bodyOf, committees, presidents } = await readOffices(app)
    const committee = bodyOf('executive-committee')
    expect(committee?.term).toBe('2025-26')
    expect(committee?.members.map(({ role }) => role)).toEqual([
      'President',
      'President Elect',
      'Vice President',
      'Secretary',
      'Treasurer',
      'Past President',
    ])
    expect(bodyOf('board-trustees')?.term).toBe('2024-25')
    expect(committees?.term).toBe('2024-25')
    expect(committees?.committees).toHaveLength(8)
    expect(presidents?.map(({ year }) => year)).toEqual(Array.from({ length: 37 }, (_, index) => 2025 - index))
  })

  test('without sample people if samples are off', async () => {
    await using app = await createTestApp()
    const { bodyOf, committees, presidents } = await readOffices(app)
    expect(bodyOf('board-directors')).toBeUndefined()
    expect(committees).toBeNull()
    expect(presidents).toEqual([])
  })
})

test('pages show the new term, and the old one is kept', async () => {
  await using app = await createTestApp({ samples: true })
  const { db } = app.database
  const before = (await readOffices(app)).bodyOf('board-trustees')
  const next = { body: 'board-trustees', term: '2026-27', title: 'Board of Trustees 2026-27', lead: 'New', members: [] }
  await storeRecord(db, leaderKind, next, 'board-trustees.2026-27')
  const { bodyOf } = await readOffices(app)
  const after = bodyOf('board-trustees')
  expect((await readRecords(db)).list(leaderKind).map(({ id }) => id)).toContain(`board-trustees.${before?.term}`)
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
  await changeRecord(db, pageKind, (page) => ({ ...page, markdown }), 'about')
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
