import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { migrateWithin } from '#server/db/migrate.ts'

/** A former event as its revisions have it, with the length of relative dates. */
export const FORMER_GALA = {
  id: 'gala',
  title: 'Gala',
  description: 'Dinner.',
  date: 'December 12, 2026',
  location: 'Duluth',
  imageKey: 'hero-gala',
  detailsLink: '/events',
  body: 'Come **early**.',
  days: 1,
  time: '6 PM',
}

/** A database of the release before content records, with rows in each of the 14 tables of content, some of which officers had edited. */
export async function makeFormerContent({ db, engine }: Database, now: number): Promise<void> {
  await db.transaction().execute((tx) => migrateWithin(tx, engine, now, '0036-outbox-subject'))
  const insert = async (table: string, rows: Record<string, unknown>[]) => {
    for (const row of rows) {
      const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
      await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(
        db.withoutPlugins(),
      )
    }
  }
  const { imageKey, detailsLink, date, time, days: _days, ...gala } = FORMER_GALA
  const event = { ...gala, date_text: date, image_keys: JSON.stringify([imageKey]), details_link: detailsLink }
  await insert('event', [
    { ...event, time_text: time, address: null, starts_on: '2026-12-12', ends_on: '2026-12-12', starts_at: '18:00' },
    { ...event, id: 'fair', image_keys: '["a","b"]', time_text: null, address: '1 Oak Drive' },
  ])
  const item = { title: 'A chair', day: '2026-11-02', excerpt: 'Blue.', content: 'It is blue.', category: 'news' }
  await insert('news_item', [{ ...item, id: 'chair', author: 'Ana', image_key: 'clinic' }])
  const page = { title: 'About', description: 'D', markdown: 'M', version: '1', updated_on: '2026-11-01' }
  const lists = { facts: '[{"label":"a","value":"b"}]', items: '[]', more: '[]' }
  await insert('page', [
    { ...page, ...lists, slug: 'about', lead: 'L', picture: 'clinic', picture_alt: 'A clinic' },
    { ...page, slug: 'privacy-policy', title: 'Privacy' },
  ])
  const body = { body: 'board-trustees', title: 'Trustees', lead: 'They keep.' }
  await insert('leader_body', [
    { ...body, term: '2024-25' },
    { ...body, term: '2025-26' },
  ])
  const leader = { body: 'board-trustees', term: '2025-26', role: null, location: 'Macon' }
  await insert('leader', [
    { ...leader, id: '2', name: 'Second', position: 1 },
    { ...leader, id: '1', name: 'First', role: 'Chair', location: null, position: 0 },
  ])
  const committee = { id: 'events', title: 'Events', blurb: 'They plan.', members: '["A","B"]', position: 0 }
  await insert('committee', [
    { ...committee, term: '2023-24' },
    { ...committee, term: '2024-25', members: '["C"]' },
    { ...committee, term: '2025-26', members: '["D"]' },
  ])
  await insert('past_president', [
    { year: 1999, name: 'Old' },
    { year: 2024, name: 'New' },
  ])
  const member = { role: 'President', school: 'S', year: 'Y', icon_name: 'lamp', bio: '["Hello"]' }
  await insert('forum_member', [{ ...member, id: 'president', name: 'Aditi', position: 0 }])
  await insert('faq', [
    { id: '2', question: 'Two?', answer: 'Yes', position: 1 },
    { id: '1', question: 'One?', answer: 'No', position: 0 },
  ])
  await insert('notice', [
    { id: 'n', title: 'T', text: 'X', link_label: 'L', link_path: '/events', is_on: 1, ends_on: '2026-12-31' },
  ])
  await insert('figure', [{ id: 'f', value: '30+', label: 'Years', as_of: '2026-01-01', position: 0 }])
  const tier = { key: 'gold', name: 'Gold', amount_label: '$1', unit_amount: 100, remarks_minutes: null }
  await insert('tier', [{ ...tier, reserved_table: 1, benefits: '["A table"]', position: 0 }])
  await insert('sponsor', [{ id: 'kaveri', name: 'Kaveri', logo: 'mark', website: null, position: 0 }])
  await insert('setting', [{ key: 'session', value: '{"days":7}' }])

  const revision = { kind: 'events', record_id: 'gala', saved_by: 'a', saved_at: now, is_newest: 0, publish_at: null }
  await insert('content_revision', [
    { ...revision, id: 'r1', number: 1, action: 'found', value: JSON.stringify({ ...FORMER_GALA, location: 'Macon' }) },
    { ...revision, id: 'r2', number: 2, action: 'published', value: JSON.stringify(FORMER_GALA) },
    { ...revision, id: 'r3', number: 3, action: 'draft', value: JSON.stringify(FORMER_GALA), is_newest: 1 },
    { ...revision, id: 'f1', record_id: 'fair', number: 1, action: 'published', value: '{"id":"fair"}', is_newest: 1 },
    {
      ...revision,
      id: 'c1',
      kind: 'committees',
      record_id: 'all',
      number: 1,
      action: 'published',
      value: JSON.stringify({
        term: '2024-25',
        committees: [{ id: 'events', title: 'Events', blurb: 'They plan.', members: ['C'] }],
      }),
    },
  ])
  await insert('content_version', [{ id: 1, version: 5, shipped: null }])
}
