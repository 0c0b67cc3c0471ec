import type { Db } from '#server/db/database.ts'

export async function createSession(
  db: Db,
  session: { id: string; accountId: string; browser: string; now: number },
): Promise<void> {
  await db
    .insertInto('session')
    .values({
      id: session.id,
      account_id: session.accountId,
      created_at: session.now,
      last_seen_at: session.now,
      browser: session.browser,
      revoked_at: null,
      refreshed_at: null,
    })
    .execute()
}

export async function touchSession(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('session').set({ last_seen_at: now }).where('id', '=', id).execute()
}

/** Returns true only for the first call (docs/product-rules.md#token-refresh). */
export async function markRefreshed(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ refreshed_at: now })
    .where('id', '=', id)
    .where('refreshed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteOldSessions(db: Db, before: number): Promise<void> {
  await db.deleteFrom('session').where('created_at', '<', before).execute()
}

export async function saveKnownBrowser(
  db: Db,
  { browserHash, accountId, now }: { browserHash: string; accountId: string; now: number },
): Promise<void> {
  await db
    .insertInto('known_browser')
    .values({ browser_hash: browserHash, account_id: accountId, created_at: now })
    .onConflict((conflict) => conflict.columns(['browser_hash', 'account_id']).doUpdateSet({ created_at: now }))
    .execute()
}

/** By then the cookie that identifies the browser has expired too. */
export async function deleteOldKnownBrowsers(db: Db, before: number): Promise<void> {
  await db.deleteFrom('known_browser').where('created_at', '<', before).execute()
}

export async function isKnownBrowser(db: Db, browserHash: string, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_browser')
    .select('created_at')
    .where('browser_hash', '=', browserHash)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row !== undefined
}
