import type { Db } from '#server/db/database.ts'

/** What must be true of a token's session and account on every call. */
export interface SessionState {
  accountId: string
  tokenVersion: number
  revokedAt: number | null
  deactivatedBy: string | null
  lastSeenAt: number
}

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

export async function findSession(db: Db, id: string): Promise<SessionState | null> {
  const row = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select([
      'session.account_id as accountId',
      'account.token_version as tokenVersion',
      'session.revoked_at as revokedAt',
      'account.deactivated_by as deactivatedBy',
      'session.last_seen_at as lastSeenAt',
    ])
    .where('session.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function touchSession(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('session').set({ last_seen_at: now }).where('id', '=', id).execute()
}

/** True for the first that asks (docs/product-rules.md#token-refresh). */
export async function markRefreshed(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ refreshed_at: now })
    .where('id', '=', id)
    .where('refreshed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function revokeSessions(db: Db, accountId: string, now: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** One of an account's sessions; those of others are not found. */
export async function revokeSession(
  db: Db,
  { id, accountId, now }: { id: string; accountId: string; now: number },
): Promise<void> {
  await db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute()
}

export interface LiveSession {
  id: string
  browser: string
  createdAt: number
  lastSeenAt: number
}

/** Sessions that still let somebody in, newest first; one that was exchanged lives on in its successor (docs/product-rules.md#token-refresh). */
export async function listLiveSessions(db: Db, accountId: string, begunAfter: number): Promise<LiveSession[]> {
  const rows = await db
    .selectFrom('session')
    .select(['id', 'browser', 'created_at as createdAt', 'last_seen_at as lastSeenAt'])
    .where('account_id', '=', accountId)
    .where('created_at', '>', begunAfter)
    .where('revoked_at', 'is', null)
    .where('refreshed_at', 'is', null)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows
}

export async function forgetOldSessions(db: Db, before: number): Promise<void> {
  await db.deleteFrom('session').where('created_at', '<', before).execute()
}

export async function rememberBrowser(
  db: Db,
  { browserHash, accountId, now }: { browserHash: string; accountId: string; now: number },
): Promise<void> {
  await db
    .insertInto('known_browser')
    .values({ browser_hash: browserHash, account_id: accountId, created_at: now })
    .onConflict((conflict) => conflict.columns(['browser_hash', 'account_id']).doUpdateSet({ created_at: now }))
    .execute()
}

/** All that know an account, once it is gone. */
export async function forgetBrowsersOf(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('known_browser').where('account_id', '=', accountId).execute()
}

/** The cookie that names the browser has ended by then too. */
export async function forgetOldBrowsers(db: Db, before: number): Promise<void> {
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
