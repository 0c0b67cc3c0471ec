import type { Db } from '#server/db/database.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'

export interface StripeEvent {
  id: string
  type: string
  objectId: string
  createdAt: number
}

/** False when this notice is stored already. */
export async function storeStripeEvent(db: Db, event: StripeEvent, now: number): Promise<boolean> {
  const row = await db
    .insertInto('stripe_event')
    .values({
      id: event.id,
      type: event.type,
      object_id: event.objectId,
      created_at: event.createdAt,
      received_at: now,
      done_at: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function markStripeEventDone(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('stripe_event').set({ done_at: now }).where('id', '=', id).execute()
}

/** Newest first; `doneAt` null while it is being handled. */
export async function listStripeEvents(
  db: Db,
  limit: number,
): Promise<(StripeEvent & { receivedAt: number; doneAt: number | null })[]> {
  const rows = await db
    .selectFrom('stripe_event')
    .selectAll()
    .orderBy('received_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    objectId: row.object_id,
    createdAt: row.created_at,
    receivedAt: row.received_at,
    doneAt: row.done_at,
  }))
}

/** Has a kept notice handled again, by the kind of object it is about. False when it is not kept. */
export async function replayStripeEvent(db: Db, id: string, now: number): Promise<boolean> {
  const event = await db.selectFrom('stripe_event').selectAll().where('id', '=', id).executeTakeFirst()
  if (!event) return false
  const kind = event.object_id.startsWith('cs_')
    ? 'checkout'
    : event.object_id.startsWith('sub_')
      ? 'subscription'
      : 'payment'
  await addToOutbox(db, { kind: `stripe.${kind}`, payload: { eventId: id, objectId: event.object_id } }, now)
  return true
}

/** When a notice came in last; null when none ever did. For /readyz. */
export async function lastStripeEventAt(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('stripe_event')
    .select((eb) => eb.fn.max('received_at').as('last'))
    .executeTakeFirst()
  return row?.last ?? null
}

export async function forgetOldStripeEvents(db: Db, before: number): Promise<void> {
  await db.deleteFrom('stripe_event').where('done_at', '<', before).execute()
}
