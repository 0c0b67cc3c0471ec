import type { Db } from '#server/db/database.ts'

/** The session and account state that every request checks. */
export interface SessionState {
  accountId: string
  tokenVersion: number
  revokedAt: number | null
  deactivatedBy: string | null
  lastSeenAt: number
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

export interface ActiveSession {
  id: string
  browser: string
  createdAt: number
  lastSeenAt: number
}

/**
 * Returns active sessions, newest first. A refreshed session is replaced by its successor
 * (docs/product-rules.md#token-refresh).
 */
export async function listActiveSessions(db: Db, accountId: string, begunAfter: number): Promise<ActiveSession[]> {
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
