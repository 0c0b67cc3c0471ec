import type { Db } from '#server/db/database.ts'
import type { AccountTable } from '#server/db/schema/account-schema.ts'
import type { SessionTable } from '#server/db/schema/schema.ts'

/** The session and account state that every request checks. */
export type SessionState = Pick<SessionTable, 'accountId' | 'revokedAt' | 'lastSeenAt'> &
  Pick<AccountTable, 'tokenVersion' | 'deactivatedBy'>

export async function findSession(db: Db, id: string): Promise<SessionState | null> {
  const row = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.accountId')
    .select([
      'session.accountId',
      'account.tokenVersion',
      'session.revokedAt',
      'account.deactivatedBy',
      'session.lastSeenAt',
    ])
    .where('session.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export type ActiveSession = Pick<SessionTable, 'id' | 'browser' | 'createdAt' | 'lastSeenAt'>

/**
 * Returns active sessions, newest first. A refreshed session is replaced by its successor
 * (docs/product-rules.md#token-refresh).
 */
export async function listActiveSessions(db: Db, accountId: string, begunAfter: number): Promise<ActiveSession[]> {
  return db
    .selectFrom('session')
    .select(['id', 'browser', 'createdAt', 'lastSeenAt'])
    .where('accountId', '=', accountId)
    .where('createdAt', '>', begunAfter)
    .where('revokedAt', 'is', null)
    .where('refreshedAt', 'is', null)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}
