import type { Db } from '#server/db/database.ts'
import { LONGEST_WAIT_MS, type OneTimeToken, findOneTimeToken } from './one-time-token.queries.ts'

export async function saveOneTimeToken(
  db: Db,
  token: Omit<OneTimeToken, 'lastsMs' | 'sentAt' | 'usedAt'> & { tokenHash: string },
): Promise<void> {
  await db
    .insertInto('oneTimeToken')
    .values({ ...token, lastsMs: token.expiresAt - token.createdAt, sentAt: null, usedAt: null })
    .execute()
}

/** Returns true only for the call that uses the token. */
export async function useOneTimeToken(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oneTimeToken')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Returns the token of an email that is about to be sent. Its lifetime starts now unless the email was sent before, so
 * that time in the queue does not shorten it; each retry restarts it until one succeeds. Returns null if the token is
 * unknown, used or ended, or waited too long to be useful.
 */
export async function startTokenLifetime(db: Db, id: string, now: number): Promise<OneTimeToken | null> {
  const token = await findOneTimeToken(db, id)
  if (!token || token.usedAt !== null) return null
  if (token.sentAt !== null) return token.expiresAt > now ? token : null
  if (now - token.createdAt > Math.max(LONGEST_WAIT_MS, token.lastsMs)) return null
  const expiresAt = Math.max(token.expiresAt, now + token.lastsMs)
  await db
    .updateTable('oneTimeToken')
    .set({ expiresAt })
    .where('id', '=', id)
    .where('sentAt', 'is', null)
    .where('usedAt', 'is', null)
    .execute()
  return { ...token, expiresAt }
}

/** After this, sending the email again no longer extends the link. */
export async function markTokenSent(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('oneTimeToken').set({ sentAt: now }).where('id', '=', id).where('sentAt', 'is', null).execute()
}

/** Ends every unused token of a subject, or those of one purpose. */
export async function invalidateTokens(
  db: Db,
  { subjectId, purpose, now }: { subjectId: string; purpose?: OneTimeToken['purpose']; now: number },
): Promise<void> {
  let query = db
    .updateTable('oneTimeToken')
    .set({ usedAt: now })
    .where('subjectId', '=', subjectId)
    .where('usedAt', 'is', null)
  if (purpose) query = query.where('purpose', '=', purpose)
  await query.execute()
}

export async function deleteExpiredTokens(db: Db, before: number): Promise<void> {
  await db.deleteFrom('oneTimeToken').where('expiresAt', '<', before).execute()
}
