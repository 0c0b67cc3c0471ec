import type { Db } from '#server/db/database.ts'
import { Problem } from '#server/platform/problem.ts'
import { removeEvent } from './event.repository.ts'
import { countRsvps, NOBODY } from './rsvp.repository.ts'

/**
 * Takes an event off the site.
 * @throws Problem EVENT_AWAITED while it lies ahead and somebody comes, waits or pays: they would neither hear of it nor get their money back
 */
export async function removeUnlessAwaited(db: Db, id: string, { today }: { today: string }): Promise<void> {
  const event = await db.selectFrom('event').select(['starts_on', 'ends_on']).where('id', '=', id).executeTakeFirst()
  const isAhead = (event?.ends_on ?? event?.starts_on ?? '') >= today
  // Seats that are only held, until somebody confirms, keep no event on the site: the time does not matter.
  const { coming, waiting, paying } = (await countRsvps(db, 0, id)).get(id) ?? NOBODY
  if (isAhead && coming + waiting + paying > 0) throw new Problem('EVENT_AWAITED')
  await removeEvent(db, id)
}
