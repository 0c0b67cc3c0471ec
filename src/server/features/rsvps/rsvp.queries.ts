import type { Db } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'

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
