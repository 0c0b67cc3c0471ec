import { listRecords } from '#server/features/content-store/content.queries.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { AuditSubject } from '#server/audit-log/audit-action-text.rules.ts'

/** Subjects whose name is stored in a table; other names are in the audit entry or come from content forms. */
export const STORED_SUBJECTS = [
  'coupon',
  'event',
  'level',
  'memberEmail',
  'message',
  'newsletter',
  'rsvp',
  'rsvpOrder',
  'sponsorship',
  'subscriber',
  'template',
] as const satisfies readonly AuditSubject[]
export type StoredSubject = (typeof STORED_SUBJECTS)[number]

/** Returns the names of existing subjects by id, in one query per kind. */
export async function findSubjectNames(
  db: Db,
  kind: StoredSubject,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await namesOf(db, kind, ids)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function namesOf(db: Db, kind: StoredSubject, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  switch (kind) {
    case 'coupon':
      return db.selectFrom('coupon').select(['id', 'code as name']).where('id', 'in', ids).execute()
    case 'event':
      return (await eventNames(db)).filter(({ id }) => ids.includes(id))
    case 'level':
      return db.selectFrom('membershipLevel').select(['key as id', 'name']).where('key', 'in', ids).execute()
    case 'message':
      return db.selectFrom('contactMessage').select(['id', 'name']).where('id', 'in', ids).execute()
    case 'memberEmail':
    case 'newsletter':
      return db.selectFrom('campaign').select(['id', 'name']).where('id', 'in', ids).execute()
    case 'rsvp': {
      const rsvps = await db.selectFrom('rsvp').select(['id', 'name', 'eventId']).where('id', 'in', ids).execute()
      const titles = new Map((await eventNames(db)).map(({ id, name }) => [id, name]))
      return rsvps.map(({ id, name, eventId }) => {
        const title = titles.get(eventId)
        return { id, name: title === undefined ? name : `${name} (${title})` }
      })
    }
    case 'rsvpOrder':
      return db
        .selectFrom('rsvpOrder')
        .select(['id', sql<string>`name || ' (' || title || ')'`.as('name')])
        .where('id', 'in', ids)
        .execute()
    case 'sponsorship':
      return db.selectFrom('sponsorship').select(['id', 'company as name']).where('id', 'in', ids).execute()
    case 'subscriber':
      return db.selectFrom('subscriber').select(['id', 'email as name']).where('id', 'in', ids).execute()
    case 'template':
      return db.selectFrom('messageTemplate').select(['id', 'name']).where('id', 'in', ids).execute()
  }
}

async function eventNames(db: Db): Promise<{ id: string; name: string }[]> {
  return (await listRecords(db, eventKind)).map(({ id, value }) => ({ id, name: value.title }))
}
