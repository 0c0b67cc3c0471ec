import type { Db } from '#server/db/database.ts'
import type { OneTimeTokenTable } from '#server/db/schema.ts'

/** A link that was mailed: kept as a hash, good for one purpose and one subject. */
export interface OneTimeToken {
  id: string
  purpose: OneTimeTokenTable['purpose']
  subjectId: string
  createdAt: number
  expiresAt: number
  /** How long the link is good once its email was sent. */
  lastsMs: number
  /** null: its email has not left yet. */
  sentAt: number | null
  usedAt: number | null
}

/** Longer than the outbox tries to send an email. */
const LONGEST_WAIT_MS = 5 * 86_400_000

export async function saveOneTimeToken(
  db: Db,
  token: Omit<OneTimeToken, 'lastsMs' | 'sentAt' | 'usedAt'> & { tokenHash: string },
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

async function findOneTimeToken(db: Db, id: string): Promise<OneTimeToken | null> {
  const row = await db.selectFrom('one_time_token').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toOneTimeToken(row) : null
}

export async function findOneTimeTokenByHash(
  db: Db,
  { tokenHash, purpose }: { tokenHash: string; purpose: OneTimeToken['purpose'] },
): Promise<OneTimeToken | null> {
  const row = await db
    .selectFrom('one_time_token')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
  return row ? toOneTimeToken(row) : null
}

export async function findLiveTokens(db: Db, subjectIds: readonly string[], now: number): Promise<OneTimeToken[]> {
  if (subjectIds.length === 0) return []
  const rows = await db
    .selectFrom('one_time_token')
    .selectAll()
    .where('subject_id', 'in', subjectIds)
    .where('expires_at', '>', now)
    .where('used_at', 'is', null)
    .execute()
  return rows.map(toOneTimeToken)
}

/** True for the one call that uses it. */
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
 * The token for an email that is about to be sent. Its life begins now unless an earlier email was sent, so that hours in the queue take nothing from it; each
 * try until one succeeds begins it again. null when it was used or ended, is unknown, or waited so long that nobody expects it any more.
 */
export async function takeTokenToSend(db: Db, id: string, now: number): Promise<OneTimeToken | null> {
  const token = await findOneTimeToken(db, id)
  if (!token || token.usedAt !== null) return null
  if (token.sentAt !== null) return token.expiresAt > now ? token : null
  if (now - token.createdAt > Math.max(LONGEST_WAIT_MS, token.lastsMs)) return null
  const expiresAt = Math.max(token.expiresAt, now + token.lastsMs)
  await db
    .updateTable('one_time_token')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('used_at', 'is', null)
    .execute()
  return { ...token, expiresAt }
}

/** From now on sending its email again gives the link no longer life. */
export async function markTokenSent(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('one_time_token')
    .set({ sent_at: now })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute()
}

/** Ends every unused token of a subject, or those of one purpose: a newer one, or the deed itself, replaces them. */
export async function endTokens(
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

export async function forgetExpiredTokens(db: Db, before: number): Promise<void> {
  await db.deleteFrom('one_time_token').where('expires_at', '<', before).execute()
}

function toOneTimeToken(row: OneTimeTokenTable): OneTimeToken {
  return {
    id: row.id,
    purpose: row.purpose,
    subjectId: row.subject_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastsMs: row.lasts_ms,
    sentAt: row.sent_at,
    usedAt: row.used_at,
  }
}
