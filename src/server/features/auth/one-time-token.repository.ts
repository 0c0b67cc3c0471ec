import type { Db } from '#server/db/database.ts'
import type { OneTimeTokenTable } from '#server/db/schema.ts'

/** A link that was mailed: kept as a hash, good for one purpose and one subject. */
export interface OneTimeToken {
  id: string
  purpose: OneTimeTokenTable['purpose']
  subjectId: string
  createdAt: number
  expiresAt: number
  usedAt: number | null
}

export async function saveOneTimeToken(
  db: Db,
  token: Omit<OneTimeToken, 'usedAt'> & { tokenHash: string },
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
      used_at: null,
    })
    .execute()
}

export async function findOneTimeToken(db: Db, id: string): Promise<OneTimeToken | null> {
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
    usedAt: row.used_at,
  }
}
