import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../database.ts'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** The tables whose rows are records now, in an order in which they can be dropped. */
export const MOVED_TABLES = [
  'leader',
  'leader_body',
  'committee',
  'past_president',
  'forum_member',
  'event',
  'news_item',
  'page',
  'faq',
  'notice',
  'figure',
  'tier',
  'sponsor',
  'setting',
] as const

type Row = Record<string, string | number | null>
type Value = Record<string, unknown>

interface NewRecord {
  kind: string
  id: string
  value: unknown
  /** As revisions of earlier releases have it, where that differs. */
  formerValue?: unknown
}

/** One table for all content, with the values that the console had and the revisions contain; no value changes. */
export async function up(db: Kysely<unknown>, _engine: Engine, now: number): Promise<void> {
  await db.schema
    .createTable('content_record')
    .addColumn('kind', 'text', required)
    .addColumn('id', 'text', required)
    .addColumn('value', 'text', required)
    .addColumn('revision', 'integer')
    .addColumn('updated_at', 'bigint', required)
    .addPrimaryKeyConstraint('content_record_key', ['kind', 'id'])
    .execute()
  const tables = await readTables(db)
  for (const { kind, id, value, formerValue = value } of recordsOf(tables)) {
    const revision = await findRevision(db, { kind, id }, JSON.stringify(formerValue))
    await sql`insert into content_record (kind, id, value, revision, updated_at)
      values (${kind}, ${id}, ${JSON.stringify(value)}, ${revision}, ${now})`.execute(db)
  }
  await keepFormerCommittees(db, tables.committee, now)
  for (const table of MOVED_TABLES) await db.schema.dropTable(table).execute()
}

type Tables = Record<(typeof MOVED_TABLES)[number], Row[]>

async function readTables(db: Kysely<unknown>): Promise<Tables> {
  const tables: Partial<Tables> = {}
  for (const table of MOVED_TABLES)
    tables[table] = (await sql<Row>`select * from ${sql.table(table)}`.execute(db)).rows.sort(byPosition)
  return tables as Tables
}

function byPosition(a: Row, b: Row): number {
  return Number(a['position'] ?? 0) - Number(b['position'] ?? 0)
}

function recordsOf(tables: Tables): NewRecord[] {
  const list = (kind: string, name: string, items: Value[]) => ({ kind, id: 'all', value: { [name]: items } })
  const committees = committeesByTerm(tables.committee)[0]
  return [
    ...tables.event.map(toEvent),
    ...tables.news_item.map(toNewsItem),
    ...tables.page.map(toPage),
    ...tables.leader_body.map((body) => toLeaders(body, tables.leader)),
    ...(committees ? [{ kind: 'committees', id: 'all', value: committees }] : []),
    ...tables.notice.slice(0, 1).map(toAnnouncement),
    ...tables.setting.map(({ key, value }) => ({ kind: `settings-${key}`, id: 'all', value: parsed(value) })),
    // A list without items is a record too, except in an empty database.
    ...(tables.setting.length === 0
      ? []
      : [
          list('past-presidents', 'presidents', presidentsOf(tables.past_president)),
          list('forum-team', 'team', tables.forum_member.map(toForumMember)),
          list(
            'faq',
            'questions',
            tables.faq.map(({ question, answer }) => ({ question, answer })),
          ),
          list(
            'figures',
            'figures',
            tables.figure.map(({ value, label, as_of: asOf }) => ({ value, label, asOf })),
          ),
          list('tiers', 'tiers', tables.tier.map(toTier)),
          list(
            'sponsors',
            'sponsors',
            tables.sponsor.map(({ id, name, logo, website }) => ({ id, name, logo, website })),
          ),
        ]),
  ]
}

function toEvent(row: Row): NewRecord {
  const { id, title, description, date_text: date, time_text: time, location, address, body } = row
  const imageKeys = parsed(row['image_keys'])
  const imageKey: unknown = Array.isArray(imageKeys) && imageKeys.length === 1 ? imageKeys[0] : imageKeys
  const common = { id, title, description, date, location, imageKey, detailsLink: row['details_link'], body }
  const optional = { ...(time && { time }), ...(address && { address }) }
  return {
    kind: 'events',
    id: String(id),
    value: { ...common, ...optional },
    formerValue: { ...common, days: 1, ...optional },
  }
}

function toNewsItem({ id, title, day, excerpt, content, category, author, image_key: imageKey }: Row): NewRecord {
  return {
    kind: 'news',
    id: String(id),
    value: { id, title, date: day, excerpt, content, category, author, imageKey },
  }
}

function toPage(row: Row): NewRecord {
  const { slug, title, description, markdown, version, updated_on: updatedOn, lead, picture } = row
  const lists = { facts: parsed(row['facts']), items: parsed(row['items']), more: parsed(row['more']) }
  const value = {
    title,
    description,
    markdown,
    version,
    updatedOn,
    ...lists,
    ...(lead !== null && { lead }),
    ...(picture !== null && { picture, pictureAlt: row['picture_alt'] ?? '' }),
  }
  return { kind: 'pages', id: String(slug), value }
}

function toLeaders({ body, term, title, lead }: Row, leaders: readonly Row[]): NewRecord {
  const members = leaders
    .filter((leader) => leader['body'] === body && leader['term'] === term)
    .map(({ name, role, location }) => ({ name, ...(role && { role }), ...(location && { location }) }))
  return { kind: 'leaders', id: `${body}.${term}`, value: { body, title, term, lead, members } }
}

/** Newest first. */
function committeesByTerm(rows: readonly Row[]): { term: string; committees: Value[] }[] {
  const terms = [...Map.groupBy(rows, ({ term }) => String(term))].sort(([a], [b]) => (a < b ? 1 : -1))
  return terms.map(([term, committees]) => ({
    term,
    committees: committees.map(({ id, title, blurb, members }) => ({ id, title, blurb, members: parsed(members) })),
  }))
}

/**
 * Committees of earlier terms were not shown, and stay in the history: before its first revision, unless one has them. So no revision gets another
 * number.
 */
async function keepFormerCommittees(db: Kysely<unknown>, rows: readonly Row[], now: number): Promise<void> {
  let number = 0
  for (const former of committeesByTerm(rows).slice(1)) {
    const value = JSON.stringify(former)
    const { rows: known } = await sql`select id from content_revision
      where kind = 'committees' and record_id = 'all' and value = ${value}`.execute(db)
    if (known.length > 0) continue
    await sql`insert into content_revision (id, kind, record_id, number, action, value, saved_by, saved_at, is_newest)
      values (${`committees ${former.term}`}, 'committees', 'all', ${number--}, 'found', ${value}, 'webmaster', ${now}, 0)`.execute(
      db,
    )
  }
}

function presidentsOf(rows: readonly Row[]): Value[] {
  const presidents = rows.map(({ name, year }) => ({ name, year: Number(year) }))
  return presidents.sort((a, b) => b.year - a.year)
}

function toForumMember({ id, role, name, school, year, icon_name: iconName, bio }: Row): Value {
  return { id, role, name, school, year, iconName, bio: parsed(bio ?? null) }
}

function toAnnouncement({ title, text, link_label: linkLabel, link_path: linkPath, ...row }: Row): NewRecord {
  const endsOn = row['ends_on']
  const value = { title, text, linkLabel, linkPath, isOn: row['is_on'] === 1, ...(endsOn && { endsOn }) }
  return { kind: 'notice', id: 'all', value }
}

function toTier({ key, name, amount_label: amountLabel, unit_amount: unitAmount, ...row }: Row): Value {
  return {
    key,
    name,
    amountLabel,
    unitAmount,
    remarksMinutes: row['remarks_minutes'],
    reservedTable: row['reserved_table'] === 1,
    benefits: parsed(row['benefits']),
  }
}

/** A text that is no JSON stays a text: nothing is lost, and `npm run admin -- check` reports it. */
function parsed(text: string | number | null | undefined): unknown {
  try {
    return JSON.parse(String(text)) as unknown
  } catch {
    return text
  }
}

/** The number of the revision that published a value; null if it was seeded, imported or changed by hand since. */
async function findRevision(
  db: Kysely<unknown>,
  { kind, id }: { kind: string; id: string },
  value: string,
): Promise<number | null> {
  const { rows } = await sql<{ number: number; value: string }>`select number, value from content_revision
    where kind = ${kind} and record_id = ${id} and action in ('found', 'published') order by number desc limit 1`.execute(
    db,
  )
  return rows[0]?.value === value ? rows[0].number : null
}
