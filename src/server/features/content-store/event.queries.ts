import type { AssociationEvent } from '#contract/public/events.ts'
import type { Db } from '#server/db/database.ts'

/** An event as stored: `body` is Markdown. */
export type StoredEvent = AssociationEvent & { body: string }

/** Not in display order, which depends on the current day. */
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

export function rowOf(event: StoredEvent) {
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
