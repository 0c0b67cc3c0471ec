import type { Db } from '#server/db/database.ts'

/** Idempotent. */
export async function saveDecline(
  db: Db,
  { accountId, eventId, now }: { accountId: string; eventId: string; now: number },
): Promise<void> {
  await db
    .insertInto('declinedEvent')
    .values({ accountId, eventId, declinedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Idempotent. */
export async function deleteDecline(db: Db, accountId: string, eventId: string): Promise<void> {
  await db.deleteFrom('declinedEvent').where('accountId', '=', accountId).where('eventId', '=', eventId).execute()
}

export async function listDeclinedEventIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db.selectFrom('declinedEvent').select('eventId').where('accountId', '=', accountId).execute()
  return rows.map(({ eventId }) => eventId)
}

/** Declines are deleted when RSVPs of that time are. */
export async function deleteOldDeclines(db: Db, before: number): Promise<void> {
  await db.deleteFrom('declinedEvent').where('declinedAt', '<', before).execute()
}
