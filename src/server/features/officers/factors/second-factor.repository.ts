import type { Db } from '#server/db/database.ts'
import type { SecondFactorTable } from '#server/db/schema/console-schema.ts'

export type SecondFactor = Pick<SecondFactorTable, 'secret' | 'confirmedAt' | 'lastStep'>

export async function findAuthenticator(db: Db, accountId: string): Promise<SecondFactor | null> {
  const row = await db.selectFrom('secondFactor').selectAll().where('accountId', '=', accountId).executeTakeFirst()
  return row ?? null
}

/** Stores a new secret; no-op once one is confirmed. */
export async function saveAuthenticatorSecret(
  db: Db,
  { accountId, secret, now }: { accountId: string; secret: string; now: number },
): Promise<void> {
  await db
    .insertInto('secondFactor')
    .values({ accountId, secret, createdAt: now, confirmedAt: null, lastStep: 0 })
    .onConflict((conflict) =>
      conflict
        .column('accountId')
        .doUpdateSet({ secret, createdAt: now })
        .where('secondFactor.confirmedAt', 'is', null),
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
    .updateTable('secondFactor')
    .set((eb) => ({ lastStep: step, confirmedAt: eb.fn.coalesce('confirmedAt', eb.val(now)) }))
    .where('accountId', '=', accountId)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(
  db: Db,
  { accountId, hashes, now }: { accountId: string; hashes: readonly string[]; now: number },
): Promise<void> {
  await db.deleteFrom('recoveryCode').where('accountId', '=', accountId).execute()
  await db
    .insertInto('recoveryCode')
    .values(hashes.map((hash) => ({ codeHash: hash, accountId, createdAt: now, usedAt: null })))
    .execute()
}

/** Returns true only for the first use. */
export async function useRecoveryCode(
  db: Db,
  { accountId, hash, now }: { accountId: string; hash: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recoveryCode')
    .set({ usedAt: now })
    .where('codeHash', '=', hash)
    .where('accountId', '=', accountId)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recoveryCode')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('accountId', '=', accountId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteAuthenticator(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('secondFactor').where('accountId', '=', accountId).execute()
}

export async function recordVerification(
  db: Db,
  { sessionId, accountId, now }: { sessionId: string; accountId: string; now: number },
): Promise<void> {
  await db
    .insertInto('sessionProof')
    .values({ sessionId, accountId, provedAt: now })
    .onConflict((conflict) => conflict.column('sessionId').doUpdateSet({ provedAt: now }))
    .execute()
}

/** Returns when the session last verified a second factor; null if never. */
export async function findVerifiedAt(db: Db, sessionId: string): Promise<number | null> {
  const row = await db
    .selectFrom('sessionProof')
    .select('provedAt')
    .where('sessionId', '=', sessionId)
    .executeTakeFirst()
  return row?.provedAt ?? null
}

/** Closes the console in all other sessions: they may have been opened with a factor that was just removed. */
export async function deleteOtherVerifications(
  db: Db,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<void> {
  await db.deleteFrom('sessionProof').where('accountId', '=', accountId).where('sessionId', '<>', sessionId).execute()
}

export async function deleteOldVerifications(db: Db, before: number): Promise<void> {
  await db.deleteFrom('sessionProof').where('provedAt', '<', before).execute()
}
