import type { Db } from '#server/db/database.ts'
import type { RsvpTable } from '#server/db/schema/events-schema.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import type { Rsvp } from './rsvp.repository.ts'

/** The status and the number of guests of an RSVP; null if it is gone. */
export async function findParty(db: Db, rsvpId: string): Promise<Pick<RsvpTable, 'status' | 'guests'> | null> {
  const row = await db.selectFrom('rsvp').select(['status', 'guests']).where('id', '=', rsvpId).executeTakeFirst()
  return row ?? null
}

/** Ids of the events for which an address has an RSVP that is not canceled. */
export async function listEventIdsByEmail(db: Db, email: string): Promise<string[]> {
  const rows = await db
    .selectFrom('rsvp')
    .select('eventId')
    .where('emailKey', '=', nameKey(email))
    .where('status', '!=', 'cancelled')
    .orderBy('eventId')
    .execute()
  return rows.map((row) => row.eventId)
}

/** The RSVPs of an address that are not canceled. */
export function listRsvpsByEmail(db: Db, email: string): Promise<Pick<Rsvp, 'eventId' | 'guests' | 'status'>[]> {
  return db
    .selectFrom('rsvp')
    .select(['eventId', 'guests', 'status'])
    .where('emailKey', '=', nameKey(email))
    .where('status', '!=', 'cancelled')
    .execute()
}
