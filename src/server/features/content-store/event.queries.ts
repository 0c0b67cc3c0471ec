import type { AssociationEvent } from '#contract/public/events.ts'
import type { Db } from '#server/db/database.ts'

/** An event as stored: `body` is Markdown. */
export type StoredEvent = AssociationEvent & { body: string }

/** Not in display order, which depends on the current day. */
export async function listEvents(db: Db): Promise<StoredEvent[]> {
  const rows = await db.selectFrom('event').selectAll().orderBy('id').execute()
  return rows.map((row) => {
    const imageKeys = JSON.parse(row.imageKeys) as string[]
    return {
      id: row.id,
      title: row.title,
      description: row.description,
      date: row.dateText,
      time: row.timeText,
      location: row.location,
      address: row.address,
      imageKey: imageKeys.length === 1 ? (imageKeys[0] as string) : imageKeys,
      detailsLink: row.detailsLink,
      startsOn: row.startsOn,
      endsOn: row.endsOn,
      startsAt: row.startsAt,
      endsAt: row.endsAt,
      body: row.body,
    }
  })
}

export function rowOf(event: StoredEvent) {
  return {
    id: event.id,
    title: event.title,
    description: event.description,
    dateText: event.date,
    timeText: event.time,
    location: event.location,
    address: event.address,
    imageKeys: JSON.stringify([event.imageKey].flat()),
    detailsLink: event.detailsLink,
    body: event.body,
    startsOn: event.startsOn,
    endsOn: event.endsOn,
    startsAt: event.startsAt,
    endsAt: event.endsAt,
  }
}
