import type { AssociationEvent } from '#contract/events.ts'
import type { Db } from '#server/db/database.ts'

/** An event as it is kept: its words still Markdown. */
export type StoredEvent = AssociationEvent & { body: string }

/** In no order: what comes first depends on the day. */
export async function listEvents(db: Db): Promise<StoredEvent[]> {
  const rows = await db.selectFrom('event').selectAll().orderBy('id').execute()
  return rows.map((row) => {
    const imageKeys = JSON.parse(row.image_keys) as string[]
    return {
      id: row.id,
      title: row.title,
      description: row.description,
      date: row.date_text,
      time: row.time_text,
      location: row.location,
      address: row.address,
      imageKey: imageKeys.length === 1 ? (imageKeys[0] as string) : imageKeys,
      detailsLink: row.details_link,
      startsOn: row.starts_on,
      endsOn: row.ends_on,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      body: row.body,
    }
  })
}

/** Call with `raiseContentVersion` in one transaction. */
export async function replaceEvents(db: Db, events: readonly StoredEvent[]): Promise<void> {
  await db.deleteFrom('event').execute()
  if (events.length > 0) await db.insertInto('event').values(events.map(rowOf)).execute()
}

/** A new event, or another version of one. Call with `raiseContentVersion` in one transaction. */
export async function saveEvent(db: Db, event: StoredEvent): Promise<void> {
  const { id: _id, ...changes } = rowOf(event)
  await db
    .insertInto('event')
    .values(rowOf(event))
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute()
}

/** Call with `raiseContentVersion` in one transaction. */
export async function removeEvent(db: Db, id: string): Promise<void> {
  await db.deleteFrom('event').where('id', '=', id).execute()
}

function rowOf(event: StoredEvent) {
  return {
    id: event.id,
    title: event.title,
    description: event.description,
    date_text: event.date,
    time_text: event.time,
    location: event.location,
    address: event.address,
    image_keys: JSON.stringify([event.imageKey].flat()),
    details_link: event.detailsLink,
    body: event.body,
    starts_on: event.startsOn,
    ends_on: event.endsOn,
    starts_at: event.startsAt,
    ends_at: event.endsAt,
  }
}
