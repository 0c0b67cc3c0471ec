import type { Db } from '#server/db/database.ts'

export async function revokeSessions(db: Db, accountId: string, now: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ revokedAt: now })
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .execute()
}

/** Revokes a session of this account; no-op for other accounts' sessions. */
export async function revokeSession(
  db: Db,
  { id, accountId, now }: { id: string; accountId: string; now: number },
): Promise<void> {
  await db
    .updateTable('session')
    .set({ revokedAt: now })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .execute()
}

/** Deletes the known browsers of an account. */
export async function deleteKnownBrowsers(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('knownBrowser').where('accountId', '=', accountId).execute()
}
