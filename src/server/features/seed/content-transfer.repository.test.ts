import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { listRecords, readContentVersion } from '#server/features/content-store/content.queries.ts'
import { readSchedule } from '#server/features/content-store/event-times.rules.ts'
import { eventKind, newsKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { sponsorKind } from '#server/features/content-store/kinds/support.kinds.ts'
import { exportContent, importContent } from './content-transfer.service.ts'
import { SAMPLE_PROFILE } from '#server/config/profiles.ts'
import { seedEmptyDatabase } from './seed.service.ts'

const db = useTestDatabase()
let folder = ''
const moment = { today: '2026-11-21', now: NOW + 1 }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'association-transfer-'))
  await seedEmptyDatabase(db(), {
    profile: SAMPLE_PROFILE,
    now: NOW,
    timeZone: 'America/New_York',
    samples: { makeSubscription: async () => null },
  })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function everything(): Promise<unknown> {
  const records = await db().selectFrom('contentRecord').selectAll().orderBy('kind').orderBy('id').execute()
  return { records, levels: await db().selectFrom('membershipLevel').selectAll().orderBy('key').execute() }
}

test('an export imports unchanged, also months later: dates are absolute', async () => {
  const before = await everything()
  const files = await exportContent(db(), folder)
  await importContent(db(), folder, { ...moment, today: '2027-06-01' })
  expect(await everything()).toEqual(before)
  const again = mkdtempSync(join(tmpdir(), 'association-transfer-'))
  expect(await exportContent(db(), again)).toEqual(files)
  for (const file of files)
    expect(readFileSync(join(again, file), 'utf8')).toBe(readFileSync(join(folder, file), 'utf8'))
  rmSync(again, { recursive: true })
})

test('an event that an older release exported, with the length of its relative date, imports', async () => {
  const event =
    'id: old, title: Old, date: November 5-6, 2026, days: 1, location: Macon, description: D, imageKey: [forum]'
  writeFileSync(join(folder, 'events.yaml'), `- { ${event.replace('November 5-6, 2026', "'November 5-6, 2026'")} }\n`)
  await importContent(db(), folder, moment)
  const [{ value } = { value: null }] = await listRecords(db(), eventKind)
  expect(value).toEqual({
    id: 'old',
    title: 'Old',
    description: 'D',
    date: 'November 5-6, 2026',
    location: 'Macon',
    imageKey: 'forum',
    detailsLink: '/events',
    body: '',
  })
})

test('two items of a file cannot have the same id', async () => {
  const item = '{ id: twice, title: T, date: Soon, location: Macon, description: D, imageKey: forum }'
  writeFileSync(join(folder, 'events.yaml'), `- ${item}\n- ${item}\n`)
  await expect(importContent(db(), folder, moment)).rejects.toThrow('the whole file: give each an id of its own')
})

test('an import increments the content version, so every instance reloads', async () => {
  const before = await readContentVersion(db())
  await exportContent(db(), folder)
  await importContent(db(), folder, moment)
  expect(await readContentVersion(db())).toBe(before + 1)
})

test('content without a file in the folder is unchanged', async () => {
  writeFileSync(join(folder, 'sponsors.yaml'), '- { id: one, name: One, logo: /art/mark.svg }\n')
  await importContent(db(), folder, moment)
  const [wall] = await listRecords(db(), sponsorKind)
  expect(wall?.value.sponsors).toEqual([{ id: 'one', name: 'One', logo: '/art/mark.svg', website: null }])
  expect((await listRecords(db(), newsKind)).length).toBeGreaterThan(9)
})

test('an omitted level is no longer sold, and its members keep it', async () => {
  writeFileSync(
    join(folder, 'levels.yaml'),
    '- { key: annual_member, name: Annual, description: A year, unitAmount: 12000, currency: usd, interval: year }\n',
  )
  const before = await db().selectFrom('membershipLevel').select('key').execute()
  await importContent(db(), folder, moment)
  const levels = await db().selectFrom('membershipLevel').select(['key', 'isOnSale', 'unitAmount']).execute()
  expect(levels).toHaveLength(before.length)
  expect(levels.filter((level) => level.isOnSale === 1)).toEqual([
    { key: 'annual_member', isOnSale: 1, unitAmount: 12_000 },
  ])
})

test('an event file has a date as text, or a number of days from today', async () => {
  writeFileSync(
    join(folder, 'events.yaml'),
    `- { id: far, title: Far, date: 'December 30, 2026 - January 2, 2027', time: 6-9 PM, location: Macon, description: D, imageKey: forum }
- { id: near, title: Near, in: 3 days, weekday: saturday, days: 2, location: Macon, description: D, imageKey: [forum, clinic] }
- { id: unread, title: Unread, date: To be announced, location: Macon, description: D, imageKey: forum }
`,
  )
  await importContent(db(), folder, moment)
  const events = (await listRecords(db(), eventKind)).map(({ value }) => [
    value.id,
    value.date,
    value.imageKey,
    readSchedule(value),
  ])
  const none = { startsOn: null, endsOn: null, startsAt: null, endsAt: null }
  expect(events).toEqual([
    [
      'far',
      'December 30, 2026 - January 2, 2027',
      'forum',
      { startsOn: '2026-12-30', endsOn: '2027-01-02', startsAt: '18:00', endsAt: '21:00' },
    ],
    ['near', 'November 28-29, 2026', ['forum', 'clinic'], { ...none, startsOn: '2026-11-28', endsOn: '2026-11-29' }],
    ['unread', 'To be announced', 'forum', none],
  ])
})

describe('a mistake stops the import with file, line and fix, and changes nothing', () => {
  test.each([
    ['faq.yaml', '- question: When?\n  answer: Now\n- question: Where?\n', 'line 3, 1.answer: '],
    [
      'news.yaml',
      '- id: A b\n',
      'line 1, 0.id: use lowercase letters, digits and hyphens, such as gala-under-the-oaks',
    ],
    [
      'events.yaml',
      '- id: a\n  title: A\n  location: Macon\n  description: D\n  imageKey: forum\n',
      "line 1, 0: give either date, such as 'December 12-14, 2026', or in, such as '40 days'",
    ],
    ['tiers.yaml', '- key: gold\n  unitAmount: 12.5\n', 'line 2, 0.unitAmount: '],
    ['figures.yaml', 'a: [', 'figures.yaml: '],
    ['settings.yaml', 'association: 7\n', 'line 1, association: '],
  ])('%s', async (file, text, error) => {
    const before = await everything()
    writeFileSync(join(folder, 'sponsors.yaml'), '- { id: one, name: One, logo: /art/mark.svg }\n')
    writeFileSync(join(folder, file), text)
    await expect(importContent(db(), folder, moment)).rejects.toThrow(error)
    await expect(importContent(db(), folder, moment)).rejects.toThrow(file)
    expect(await everything()).toEqual(before)
  })

  test('a page without front matter', async () => {
    mkdirSync(join(folder, 'pages'))
    writeFileSync(join(folder, 'pages', 'about.md'), '# About')
    await expect(importContent(db(), folder, moment)).rejects.toThrow('about.md: start the file with title')
    writeFileSync(join(folder, 'pages', 'about.md'), '---\ntitle: About\nupdatedOn: May\n---\n\nWords')
    await expect(importContent(db(), folder, moment)).rejects.toThrow(
      'line 3, updatedOn: use a date such as 2026-11-01, in quotes',
    )
  })

  test('an unknown file, and a missing folder', async () => {
    writeFileSync(join(folder, 'sponsor.yaml'), '[]')
    await expect(importContent(db(), folder, moment)).rejects.toThrow(
      'sponsor.yaml is not a content file. Known files: ',
    )
    await expect(importContent(db(), join(folder, 'none'), moment)).rejects.toThrow(' does not exist.')
  })
})
