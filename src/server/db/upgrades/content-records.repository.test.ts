import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FORMER_GALA, makeFormerContent } from '#tests/support/content/former-content.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { NOW } from '#tests/support/use-test-database.ts'
import type { Database } from '../database.ts'
import { migrate, migrateWithin } from '../migrate.ts'
import { MOVED_TABLES } from '../migrations/0037-content-records.ts'
import { listTables } from '../schema/tables.ts'

let database: Database

beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(() => database.close())

test('the rows of the 14 tables of content become records, with the values that the console had', async () => {
  await makeFormerContent(database, NOW)
  await migrate(database, NOW + 1)

  // The home page and the menu came later (0043).
  const rows = await database.db
    .selectFrom('contentRecord')
    .selectAll()
    .where('kind', 'not in', ['home', 'menu'])
    .orderBy('kind')
    .orderBy('id')
    .execute()
  const records = rows.map(({ kind, id, value }) => [`${kind}/${id}`, JSON.parse(value) as unknown])
  const { days: _days, ...gala } = FORMER_GALA
  const { time: _time, ...fair } = { ...gala, id: 'fair', imageKey: ['a', 'b'], address: '1 Oak Drive' }
  const page = { title: 'About', description: 'D', markdown: 'M', version: '1', updatedOn: '2026-11-01' }
  const noLists = { facts: [], items: [], more: [] }
  const trustees = { body: 'board-trustees', title: 'Trustees', lead: 'They keep.' }
  const committee = { id: 'events', title: 'Events', blurb: 'They plan.' }
  const forum = { id: 'president', role: 'President', name: 'Aditi', school: 'S', year: 'Y', iconName: 'lamp' }
  expect(Object.fromEntries(records)).toEqual({
    'committees/all': { term: '2025-26', committees: [{ ...committee, members: ['D'] }] },
    'events/fair': fair,
    'events/gala': gala,
    'faq/all': {
      questions: [
        { question: 'One?', answer: 'No' },
        { question: 'Two?', answer: 'Yes' },
      ],
    },
    'figures/all': { figures: [{ value: '30+', label: 'Years', asOf: '2026-01-01' }] },
    'forum-team/all': { team: [{ ...forum, bio: ['Hello'] }] },
    'leaders/board-trustees.2024-25': { ...trustees, term: '2024-25', members: [] },
    'leaders/board-trustees.2025-26': {
      ...trustees,
      term: '2025-26',
      members: [
        { name: 'First', role: 'Chair' },
        { name: 'Second', location: 'Macon' },
      ],
    },
    'news/chair': {
      id: 'chair',
      title: 'A chair',
      date: '2026-11-02',
      excerpt: 'Blue.',
      content: 'It is blue.',
      category: 'news',
      author: 'Ana',
      imageKey: 'clinic',
    },
    'notice/all': { title: 'T', text: 'X', linkLabel: 'L', linkPath: '/events', isOn: true, endsOn: '2026-12-31' },
    'pages/about': {
      ...page,
      ...noLists,
      facts: [{ label: 'a', value: 'b' }],
      lead: 'L',
      picture: 'clinic',
      pictureAlt: 'A clinic',
    },
    'pages/privacy-policy': { ...page, ...noLists, title: 'Privacy' },
    'past-presidents/all': {
      presidents: [
        { name: 'New', year: 2024 },
        { name: 'Old', year: 1999 },
      ],
    },
    'settings-session/all': { days: 7 },
    'sponsors/all': { sponsors: [{ id: 'kaveri', name: 'Kaveri', logo: 'mark', website: null }] },
    'tiers/all': {
      tiers: [
        {
          key: 'gold',
          name: 'Gold',
          amountLabel: '$1',
          unitAmount: 100,
          remarksMinutes: null,
          reservedTable: true,
          benefits: ['A table'],
        },
      ],
    },
  })
  // The published revision is known where a revision has the value; a change by other means is found at the next save.
  const published = Object.fromEntries(rows.map(({ kind, id, revision }) => [`${kind}/${id}`, revision]))
  expect([published['events/gala'], published['events/fair'], published['news/chair']]).toEqual([2, null, null])
  const tables = (await listTables(database.db)).map(({ name }) => name)
  expect(MOVED_TABLES.filter((table) => tables.includes(table))).toEqual([])
})

test('revisions stay as they are, and committees of former terms join them unless they are there', async () => {
  await makeFormerContent(database, NOW)
  const all = () => database.db.selectFrom('contentRevision').selectAll().orderBy('number').orderBy('id').execute()
  const before = await all()
  await migrate(database, NOW + 1)
  const [added, ...rest] = await all()
  expect(rest).toEqual(before)
  expect(added).toMatchObject({ kind: 'committees', recordId: 'all', number: 0, action: 'found', isNewest: 0 })
  expect(JSON.parse(added?.value ?? '')).toMatchObject({ term: '2023-24', committees: [{ members: ['A', 'B'] }] })
})

test('an empty database stays empty, and a text that is no JSON is kept', async () => {
  const { db, engine } = database
  await db.transaction().execute((tx) => migrateWithin(tx, engine, NOW, '0036-outbox-subject'))
  await sql`insert into page (slug, title, description, markdown, version, updated_on, facts)
    values ('odd', 'T', 'D', 'M', '1', '2026-11-01', '{')`.execute(db)
  await migrate(database, NOW)
  const rows = await db.selectFrom('contentRecord').select(['kind', 'id', 'value']).execute()
  // The home page and the menu came later (0043).
  expect(rows.map(({ kind, id }) => `${kind}/${id}`)).toEqual(['pages/odd', 'home/all', 'menu/all'])
  expect(JSON.parse(rows[0]?.value ?? '')).toMatchObject({ title: 'T', facts: '{', items: [] })
})
