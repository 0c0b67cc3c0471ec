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
    .innerJoin('account', 'account.id', 'session.accountId')
    .select([
      'session.accountId as accountId',
      'account.tokenVersion as tokenVersion',
      'session.revokedAt as revokedAt',
      'account.deactivatedBy as deactivatedBy',
      'session.lastSeenAt as lastSeenAt',
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
    .select(['id', 'browser', 'createdAt as createdAt', 'lastSeenAt as lastSeenAt'])
    .where('accountId', '=', accountId)
    .where('createdAt', '>', begunAfter)
    .where('revokedAt', 'is', null)
    .where('refreshedAt', 'is', null)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows
}
