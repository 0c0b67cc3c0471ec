import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { containsText } from '#server/db/full-text.ts'
import { listRecords } from '#server/features/content-store/content.queries.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'

/** Only the newest subjects of each kind, as their ids are parameters of the query: a word in more names than that looks for none of them. */
export const MOST_NAMED = 300

/** Where the names of subjects are stored: the table, its key, the columns of the name, and what orders it in time. */
const NAMES = [
  ['campaign', 'id', ['name'], 'updatedAt'],
  ['contactMessage', 'id', ['name'], 'receivedAt'],
  ['coupon', 'id', ['code'], 'id'],
  ['membershipLevel', 'key', ['name'], 'position'],
  ['messageTemplate', 'id', ['name'], 'updatedAt'],
  ['rsvp', 'id', ['name'], 'askedAt'],
  ['rsvpOrder', 'id', ['name', 'title'], 'createdAt'],
  ['sponsorship', 'id', ['company'], 'createdAt'],
  ['subscriber', 'id', ['email'], 'askedAt'],
] as const

export interface NamedSubjects {
  ids: readonly string[]
  /** Their RSVPs and orders have the event's title beside their name. */
  eventIds: readonly string[]
}

/** Finds the subjects whose stored names contain the text; accounts and content are not among them. */
export async function findSubjectsByName(db: Db, text: string): Promise<NamedSubjects> {
  const ids: string[] = []
  for (const [table, key, columns, time] of NAMES) {
    const rows = await db
      .selectFrom(table)
      .select(sql<string>`${sql.ref(key)}`.as('id'))
      .where(containsText(db, columns, text))
      .orderBy(sql.ref(time), 'desc')
      .limit(MOST_NAMED)
      .execute()
    ids.push(...rows.map(({ id }) => id))
  }
  return { ids, eventIds: await findEventsByTitle(db, text) }
}

async function findEventsByTitle(db: Db, text: string): Promise<string[]> {
  const wanted = text.toLowerCase()
  return (await listRecords(db, eventKind))
    .filter(({ value }) => value.title.toLowerCase().includes(wanted))
    .slice(0, MOST_NAMED)
    .map(({ id }) => id)
}
