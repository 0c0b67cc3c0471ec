import type { Db } from '#server/db/database.ts'
import { type StripeEvent } from './stripe-event.queries.ts'

/** Returns false if this event is already stored. */
export async function storeStripeEvent(db: Db, event: StripeEvent, now: number): Promise<boolean> {
  const row = await db
    .insertInto('stripeEvent')
    .values({
      id: event.id,
      type: event.type,
      objectId: event.objectId,
      createdAt: event.createdAt,
      receivedAt: now,
      doneAt: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function markStripeEventDone(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('stripeEvent').set({ doneAt: now }).where('id', '=', id).execute()
}
