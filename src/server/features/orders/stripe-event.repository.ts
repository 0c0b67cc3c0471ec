import type { Db } from '#server/db/database.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { type StripeEvent } from './stripe-event.queries.ts'
import { processEvent } from './stripe-event.effects.ts'

/** Newest first; `doneAt` is null while the event is being processed. */
export async function listStripeEvents(
  db: Db,
  limit: number,
): Promise<(StripeEvent & { receivedAt: number; doneAt: number | null })[]> {
  const rows = await db
    .selectFrom('stripeEvent')
    .selectAll()
    .orderBy('receivedAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    objectId: row.objectId,
    createdAt: row.createdAt,
    receivedAt: row.receivedAt,
    doneAt: row.doneAt,
  }))
}

/** Requeues a stored event by the kind of its object. Returns false if the event is not stored. */
export async function replayStripeEvent(db: Db, id: string, now: number): Promise<boolean> {
  const event = await db.selectFrom('stripeEvent').selectAll().where('id', '=', id).executeTakeFirst()
  if (!event) return false
  const kind = event.objectId.startsWith('cs_')
    ? 'checkout'
    : event.objectId.startsWith('sub_')
      ? 'subscription'
      : 'payment'
  await addToOutbox(db, { effect: processEvent[kind], payload: { eventId: id, objectId: event.objectId } }, now)
  return true
}

/** When the last webhook event arrived; null if none ever did. Used by /readyz. */
export async function findLastStripeEventTime(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('stripeEvent')
    .select((eb) => eb.fn.max('receivedAt').as('last'))
    .executeTakeFirst()
  return row?.last ?? null
}

export async function deleteOldStripeEvents(db: Db, before: number): Promise<void> {
  await db.deleteFrom('stripeEvent').where('doneAt', '<', before).execute()
}
