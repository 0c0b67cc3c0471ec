import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { containsText } from '#server/db/full-text.ts'
import type { AuditSubject } from '#server/audit-log/audit-action-text.rules.ts'
import { listRecords } from '#server/features/content-store/content.queries.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'

const CAMPAIGN = ['campaign', 'id', ['name'], 'updatedAt'] as const

/** Where the names of subjects are stored: the table, its key, the columns of the name (the second one in parentheses), and what orders it in time. */
const NAMES = {
  coupon: ['coupon', 'id', ['code'], 'id'],
  level: ['membershipLevel', 'key', ['name'], 'position'],
  memberEmail: CAMPAIGN,
  message: ['contactMessage', 'id', ['name'], 'receivedAt'],
  newsletter: CAMPAIGN,
  rsvp: ['rsvp', 'id', ['name'], 'askedAt'],
  rsvpOrder: ['rsvpOrder', 'id', ['name', 'title'], 'createdAt'],
  sponsorship: ['sponsorship', 'id', ['company'], 'createdAt'],
  subscriber: ['subscriber', 'id', ['email'], 'askedAt'],
  template: ['messageTemplate', 'id', ['name'], 'updatedAt'],
} as const satisfies Partial<Record<AuditSubject, readonly unknown[]>>

type InTable = keyof typeof NAMES

/** Subjects whose name is stored in a table or is the title of an event; other names are in the audit entry or come from content forms. */
export const STORED_SUBJECTS = [...(Object.keys(NAMES) as InTable[]), 'event'] as const
export type StoredSubject = (typeof STORED_SUBJECTS)[number]

/** Returns the names of existing subjects by id, in one query per kind; of an RSVP with the title of its event. */
export async function findSubjectNames(
  db: Db,
  kind: StoredSubject,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  if (kind === 'event') return new Map((await listEvents(db)).filter(([id]) => ids.includes(id)))
  if (kind === 'rsvp') return findRsvpNames(db, ids)
  const [table, key, [name, more]] = NAMES[kind]
  const rows = await db
    .selectFrom(table)
    .select([sql<string>`${sql.ref(key)}`.as('id'), sql<string>`${sql.ref(name)}`.as('name')])
    .select(more === undefined ? sql<null>`null`.as('more') : sql<string>`${sql.ref(more)}`.as('more'))
    .where(sql.ref(key), 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row.more === null ? row.name : `${row.name} (${row.more})`]))
}

async function findRsvpNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rsvps = await db.selectFrom('rsvp').select(['id', 'name', 'eventId']).where('id', 'in', ids).execute()
  const titles = new Map(await listEvents(db))
  return new Map(
    rsvps.map(({ id, name, eventId }) => {
      const title = titles.get(eventId)
      return [id, title === undefined ? name : `${name} (${title})`]
    }),
  )
}

/** Only the newest subjects of each kind, as their ids are parameters of the query: of a word in more names than that, only those are found. */
export const MOST_NAMED = 300

export interface NamedSubjects {
  ids: readonly string[]
  /** Their RSVPs and orders have the event's title beside their name. */
  eventIds: readonly string[]
}

/** Finds the subjects whose stored names contain the text; accounts and content are not among them. */
export async function findSubjectsByName(db: Db, text: string): Promise<NamedSubjects> {
  const ids: string[] = []
  for (const [table, key, columns, time] of new Set(Object.values(NAMES))) {
    const rows = await db
      .selectFrom(table)
      .select(sql<string>`${sql.ref(key)}`.as('id'))
      .where(containsText(db, columns, text))
      .orderBy(sql.ref(time), 'desc')
      .limit(MOST_NAMED)
      .execute()
    ids.push(...rows.map(({ id }) => id))
  }
  const wanted = text.toLowerCase()
  const events = (await listEvents(db)).filter(([, title]) => title.toLowerCase().includes(wanted))
  return { ids, eventIds: events.slice(0, MOST_NAMED).map(([id]) => id) }
}

async function listEvents(db: Db): Promise<[id: string, title: string][]> {
  return (await listRecords(db, eventKind)).map(({ id, value }) => [id, value.title])
}
