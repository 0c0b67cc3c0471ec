import type { Db } from '#server/db/database.ts'

export async function createSession(
  db: Db,
  { now, ...session }: { id: string; accountId: string; browser: string; now: number },
): Promise<void> {
  await db
    .insertInto('session')
    .values({ ...session, createdAt: now, lastSeenAt: now, revokedAt: null, refreshedAt: null })
    .execute()
}

export async function touchSession(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('session').set({ lastSeenAt: now }).where('id', '=', id).execute()
}

/** Returns true only for the first call (docs/product-rules.md#token-refresh). */
export async function markRefreshed(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ refreshedAt: now })
    .where('id', '=', id)
    .where('refreshedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteOldSessions(db: Db, before: number): Promise<void> {
  await db.deleteFrom('session').where('createdAt', '<', before).execute()
}

export async function saveKnownBrowser(
  db: Db,
  { browserHash, accountId, now }: { browserHash: string; accountId: string; now: number },
): Promise<void> {
  await db
    .insertInto('knownBrowser')
    .values({ browserHash, accountId, createdAt: now })
    .onConflict((conflict) => conflict.columns(['browserHash', 'accountId']).doUpdateSet({ createdAt: now }))
    .execute()
}

/** By then the cookie that identifies the browser has expired too. */
export async function deleteOldKnownBrowsers(db: Db, before: number): Promise<void> {
  await db.deleteFrom('knownBrowser').where('createdAt', '<', before).execute()
}

export async function isKnownBrowser(db: Db, browserHash: string, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('knownBrowser')
    .select('createdAt')
    .where('browserHash', '=', browserHash)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return row !== undefined
}
