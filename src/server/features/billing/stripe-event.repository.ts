import type { Db } from '#server/db/database.ts'

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
