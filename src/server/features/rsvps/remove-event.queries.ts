import type { Db } from '#server/db/database.ts'
import { Problem } from '#server/lib/problem.ts'
import { findRecord } from '#server/features/content-store/content.queries.ts'
import { readSchedule } from '#server/features/content-store/event-times.rules.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { countRsvps, NO_RSVPS } from './rsvp.repository.ts'

/**
 * Call before an event is deleted.
 * @throws Problem EVENT_AWAITED if it has not ended and has guests with seats, on the waitlist or paying: they would get neither an email nor a
 * refund
 */
export async function requireEventWithoutGuests(db: Db, id: string, { today }: { today: string }): Promise<void> {
  const event = await findRecord(db, eventKind, id)
  const { startsOn, endsOn } = event ? readSchedule(event.value) : { startsOn: null, endsOn: null }
  const isAhead = (endsOn ?? startsOn ?? '') >= today
  // Seats that are only held until confirmation do not block deletion, so the time is irrelevant here.
  const { coming, waiting, paying } = (await countRsvps(db, 0, id)).get(id) ?? NO_RSVPS
  if (isAhead && coming + waiting + paying > 0) throw new Problem('EVENT_AWAITED')
}
