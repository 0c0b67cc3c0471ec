import type { Db } from '#server/db/database.ts'
import { LONGEST_WAIT_MS, type OneTimeToken, findOneTimeToken } from './one-time-token.queries.ts'

export async function saveOneTimeToken(
  db: Db,
  token: Omit<OneTimeToken, 'lifetimeMs' | 'sentAt' | 'usedAt'> & { tokenHash: string },
): Promise<void> {
  await db
    .insertInto('one_time_token')
    .values({
      id: token.id,
      purpose: token.purpose,
      token_hash: token.tokenHash,
      subject_id: token.subjectId,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
      lasts_ms: token.expiresAt - token.createdAt,
      sent_at: null,
      used_at: null,
    })
    .execute()
}

/** Returns true only for the call that uses the token. */
export async function useOneTimeToken(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('one_time_token')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
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
  if (now - token.createdAt > Math.max(LONGEST_WAIT_MS, token.lifetimeMs)) return null
  const expiresAt = Math.max(token.expiresAt, now + token.lifetimeMs)
  await db
    .updateTable('one_time_token')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('used_at', 'is', null)
    .execute()
  return { ...token, expiresAt }
}

/** After this, sending the email again no longer extends the link. */
export async function markTokenSent(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('one_time_token')
    .set({ sent_at: now })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute()
}

/** Ends every unused token of a subject, or those of one purpose. */
export async function invalidateTokens(
  db: Db,
  { subjectId, purpose, now }: { subjectId: string; purpose?: OneTimeToken['purpose']; now: number },
): Promise<void> {
  let query = db
    .updateTable('one_time_token')
    .set({ used_at: now })
    .where('subject_id', '=', subjectId)
    .where('used_at', 'is', null)
  if (purpose) query = query.where('purpose', '=', purpose)
  await query.execute()
}

export async function deleteExpiredTokens(db: Db, before: number): Promise<void> {
  await db.deleteFrom('one_time_token').where('expires_at', '<', before).execute()
}
