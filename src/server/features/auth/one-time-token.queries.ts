import type { Db } from '#server/db/database.ts'
import type { OneTimeTokenTable } from '#server/db/schema/schema.ts'

/** An emailed link: stored as a hash, valid for one purpose and one subject. */
export type OneTimeToken = Omit<OneTimeTokenTable, 'tokenHash'>

/** Longer than the outbox retries an email. */
export const LONGEST_WAIT_MS = 5 * 86_400_000

export async function findOneTimeToken(db: Db, id: string): Promise<OneTimeToken | null> {
  const row = await db.selectFrom('oneTimeToken').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

export async function findOneTimeTokenByHash(
  db: Db,
  { tokenHash, purpose }: { tokenHash: string; purpose: OneTimeToken['purpose'] },
): Promise<OneTimeToken | null> {
  const row = await db
    .selectFrom('oneTimeToken')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
  return row ?? null
}

export async function findLiveTokens(db: Db, subjectIds: readonly string[], now: number): Promise<OneTimeToken[]> {
  if (subjectIds.length === 0) return []
  return db
    .selectFrom('oneTimeToken')
    .selectAll()
    .where('subjectId', 'in', subjectIds)
    .where('expiresAt', '>', now)
    .where('usedAt', 'is', null)
    .execute()
}
