import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { type Subscriber, type SubscriberState } from './subscriber.queries.ts'

/** For sample data. */
export async function insertSubscribers(db: Db, subscribers: readonly Subscriber[]): Promise<void> {
  const rows = subscribers.map((subscriber) => ({
    ...subscriber,
    emailKey: nameKey(subscriber.email),
    hardBounces: 0,
    softBounces: 0,
  }))
  await queryInChunks(rows, (some) => db.insertInto('subscriber').values(some).execute())
}

/** No-op for unknown addresses (reveals nothing). */
export async function markUnsubscribed(db: Db, email: string, now: number): Promise<void> {
  await db
    .updateTable('subscriber')
    .set({ state: 'left', leftAt: now })
    .where('emailKey', '=', nameKey(email))
    .where('state', '!=', 'left')
    .execute()
}

/**
 * Blocks newsletters and imports for the address (docs/product-rules.md#suppression), and undoing an earlier import does not lift it. `emailHash` is keyed, so the list does
 * not reveal the addresses. A bounce or complaint replaces the reason that its owner left, since it also blocks emails to members; other reasons stay.
 */
export async function suppress(db: Db, emailHash: string, reason: string, now: number): Promise<void> {
  await suppressByImport(db, emailHash, reason, now)
  await keepFromUndo(db, emailHash, now)
}

/** The same because a file says so: undoing the import lifts it. */
export async function suppressByImport(db: Db, emailHash: string, reason: string, now: number): Promise<void> {
  await db
    .insertInto('suppression')
    .values({ emailHash, reason, createdAt: now })
    .onConflict((conflict) =>
      conflict.column('emailHash').doUpdateSet({ reason }).where('suppression.reason', '=', 'left'),
    )
    .execute()
}

/**
 * Undoing an earlier import leaves the address as it is from now on. Call it after the suppression was changed: a concurrent import or undo, which locks the suppression too,
 * is then complete.
 */
export async function keepFromUndo(db: Db, emailHash: string, now: number): Promise<void> {
  await db.updateTable('subscriberImportRow').set({ touchedAt: now }).where('emailHash', '=', emailHash).execute()
}

/** Ends a suppression for this reason; others stay. */
export async function unsuppress(db: Db, emailHash: string, reason: string): Promise<void> {
  await db.deleteFrom('suppression').where('emailHash', '=', emailHash).where('reason', '=', reason).execute()
}

/** Gives a subscription back the state that it had before it was ended. */
export async function restoreSubscription(db: Db, email: string, state: SubscriberState): Promise<void> {
  if (state === 'left') return
  await db
    .updateTable('subscriber')
    .set({ state, leftAt: null })
    .where('emailKey', '=', nameKey(email))
    .where('state', '=', 'left')
    .execute()
}
