import type { Db } from '#server/db/database.ts'
import { type StoredEvent, rowOf } from './event.queries.ts'

/** Call in the same transaction as `incrementContentVersion`. */
export async function replaceEvents(db: Db, events: readonly StoredEvent[]): Promise<void> {
  await db.deleteFrom('event').execute()
  if (events.length > 0) await db.insertInto('event').values(events.map(rowOf)).execute()
}

/** Inserts or updates an event. Call in the same transaction as `incrementContentVersion`. */
export async function saveEvent(db: Db, event: StoredEvent): Promise<void> {
  const { id: _id, ...changes } = rowOf(event)
  await db
    .insertInto('event')
    .values(rowOf(event))
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute()
}

/** Call in the same transaction as `incrementContentVersion`. */
export async function removeEvent(db: Db, id: string): Promise<void> {
  await db.deleteFrom('event').where('id', '=', id).execute()
}
