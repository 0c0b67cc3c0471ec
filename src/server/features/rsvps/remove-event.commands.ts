import type { Db } from '#server/db/database.ts'
import { Problem } from '#server/lib/problem.ts'
import { removeEvent } from '#server/features/content-store/event.commands.ts'
import { countRsvps, NO_RSVPS } from './rsvp.repository.ts'

/**
 * Deletes an event.
 * @throws Problem EVENT_AWAITED if it has not ended and has guests with seats, on the waitlist or paying: they would get neither an email nor a
 * refund
 */
export async function removeEventWithoutGuests(db: Db, id: string, { today }: { today: string }): Promise<void> {
  const event = await db.selectFrom('event').select(['startsOn', 'endsOn']).where('id', '=', id).executeTakeFirst()
  const isAhead = (event?.endsOn ?? event?.startsOn ?? '') >= today
  // Seats that are only held until confirmation do not block deletion, so the time is irrelevant here.
  const { coming, waiting, paying } = (await countRsvps(db, 0, id)).get(id) ?? NO_RSVPS
  if (isAhead && coming + waiting + paying > 0) throw new Problem('EVENT_AWAITED')
  await removeEvent(db, id)
}
