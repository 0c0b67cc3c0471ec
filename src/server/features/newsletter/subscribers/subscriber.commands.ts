import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { NOT_IMPORTED, type Subscriber } from './subscriber.queries.ts'

/** For sample data. */
export async function insertSubscribers(db: Db, subscribers: readonly Subscriber[]): Promise<void> {
  const rows = subscribers.map((subscriber) => ({
    id: subscriber.id,
    email: subscriber.email,
    email_key: nameKey(subscriber.email),
    state: subscriber.state,
    source: subscriber.source,
    asked_at: subscriber.requestedAt,
    confirmed_at: subscriber.confirmedAt,
    left_at: subscriber.unsubscribedAt,
    ...NOT_IMPORTED,
    hard_bounces: 0,
    soft_bounces: 0,
  }))
  await queryInChunks(rows, (some) => db.insertInto('subscriber').values(some).execute())
}

/** No-op for unknown addresses (reveals nothing). */
export async function markUnsubscribed(db: Db, email: string, now: number): Promise<void> {
  await db
    .updateTable('subscriber')
    .set({ state: 'left', left_at: now })
    .where('email_key', '=', nameKey(email))
    .where('state', '!=', 'left')
    .execute()
}

/** Blocks newsletters and imports for the address (docs/product-rules.md#suppression). `emailHash` is keyed, so the list does not reveal the addresses. */
export async function suppress(db: Db, emailHash: string, reason: string, now: number): Promise<void> {
  await db
    .insertInto('suppression')
    .values({ email_hash: emailHash, reason, created_at: now })
    .onConflict((conflict) => conflict.column('email_hash').doNothing())
    .execute()
}
