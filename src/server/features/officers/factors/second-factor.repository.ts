import type { Db } from '#server/db/database.ts'

export interface SecondFactor {
  /** Encrypted. */
  secret: string
  confirmedAt: number | null
  lastStep: number
}

export async function findAuthenticator(db: Db, accountId: string): Promise<SecondFactor | null> {
  const row = await db.selectFrom('second_factor').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  return row ? { secret: row.secret, confirmedAt: row.confirmed_at, lastStep: row.last_step } : null
}

/** Stores a new secret; no-op once one is confirmed. */
export async function saveAuthenticatorSecret(
  db: Db,
  { accountId, secret, now }: { accountId: string; secret: string; now: number },
): Promise<void> {
  await db
    .insertInto('second_factor')
    .values({ account_id: accountId, secret, created_at: now, confirmed_at: null, last_step: 0 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ secret, created_at: now })
        .where('second_factor.confirmed_at', 'is', null),
    )
    .execute()
}

/**
 * Consumes the time step of a code; the first one confirms the app. Returns false if that step or a later one was
 * already used.
 */
export async function consumeTimeStep(
  db: Db,
  { accountId, step, now }: { accountId: string; step: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factor')
    .set((eb) => ({ last_step: step, confirmed_at: eb.fn.coalesce('confirmed_at', eb.val(now)) }))
    .where('account_id', '=', accountId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(
  db: Db,
  { accountId, hashes, now }: { accountId: string; hashes: readonly string[]; now: number },
): Promise<void> {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await db
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ code_hash: hash, account_id: accountId, created_at: now, used_at: null })))
    .execute()
}

/** Returns true only for the first use. */
export async function useRecoveryCode(
  db: Db,
  { accountId, hash, now }: { accountId: string; hash: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('code_hash', '=', hash)
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteAuthenticator(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('second_factor').where('account_id', '=', accountId).execute()
}

export async function recordVerification(
  db: Db,
  { sessionId, accountId, now }: { sessionId: string; accountId: string; now: number },
): Promise<void> {
  await db
    .insertInto('session_proof')
    .values({ session_id: sessionId, account_id: accountId, proved_at: now })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ proved_at: now }))
    .execute()
}

/** Returns when the session last verified a second factor; null if never. */
export async function findVerifiedAt(db: Db, sessionId: string): Promise<number | null> {
  const row = await db
    .selectFrom('session_proof')
    .select('proved_at')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row?.proved_at ?? null
}

/** Closes the console in all other sessions: they may have been opened with a factor that was just removed. */
export async function deleteOtherVerifications(
  db: Db,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<void> {
  await db
    .deleteFrom('session_proof')
    .where('account_id', '=', accountId)
    .where('session_id', '<>', sessionId)
    .execute()
}

export async function deleteOldVerifications(db: Db, before: number): Promise<void> {
  await db.deleteFrom('session_proof').where('proved_at', '<', before).execute()
}
