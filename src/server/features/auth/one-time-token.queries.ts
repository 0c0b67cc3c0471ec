import type { Db } from '#server/db/database.ts'
import type { OneTimeTokenTable } from '#server/db/schema/schema.ts'

/** An emailed link: stored as a hash, valid for one purpose and one subject. */
export interface OneTimeToken {
  id: string
  purpose: OneTimeTokenTable['purpose']
  subjectId: string
  createdAt: number
  expiresAt: number
  /** How long the link works after its email was sent. */
  lifetimeMs: number
  /** null: the email has not been sent yet. */
  sentAt: number | null
  usedAt: number | null
}

/** Longer than the outbox retries an email. */
export const LONGEST_WAIT_MS = 5 * 86_400_000

export async function findOneTimeToken(db: Db, id: string): Promise<OneTimeToken | null> {
  const row = await db.selectFrom('oneTimeToken').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toOneTimeToken(row) : null
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
  return row ? toOneTimeToken(row) : null
}

export async function findLiveTokens(db: Db, subjectIds: readonly string[], now: number): Promise<OneTimeToken[]> {
  if (subjectIds.length === 0) return []
  const rows = await db
    .selectFrom('oneTimeToken')
    .selectAll()
    .where('subjectId', 'in', subjectIds)
    .where('expiresAt', '>', now)
    .where('usedAt', 'is', null)
    .execute()
  return rows.map(toOneTimeToken)
}

function toOneTimeToken(row: OneTimeTokenTable): OneTimeToken {
  return {
    id: row.id,
    purpose: row.purpose,
    subjectId: row.subjectId,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    lifetimeMs: row.lastsMs,
    sentAt: row.sentAt,
    usedAt: row.usedAt,
  }
}
