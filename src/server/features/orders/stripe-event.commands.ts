import type { Db } from '#server/db/database.ts'
import { type StripeEvent } from './stripe-event.queries.ts'

/** Returns false if this event is already stored. */
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
