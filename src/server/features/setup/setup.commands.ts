import type { ConfirmedStep } from '#contract/setup/site-setup.ts'
import type { Db } from '#server/db/database.ts'
import { findSetup, type SiteSetup } from './setup.queries.ts'

/** Records that the site begins closed. No effect if it has a set-up already. */
export async function startClosed(db: Db, now: number): Promise<void> {
  await db
    .insertInto('siteSetup')
    .values({
      id: 'site',
      createdAt: now,
      codeHash: null,
      codeExpiresAt: null,
      browserHash: null,
      openedAt: null,
      openedBy: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Locks the set-up and reads it: others wait until this transaction ends. null for a site that was open from the start. */
export async function lockSetup(tx: Db): Promise<SiteSetup | null> {
  // Updates the row to its own value, because only an update locks a row on both engines.
  await tx
    .updateTable('siteSetup')
    .set(({ ref }) => ({ createdAt: ref('createdAt') }))
    .execute()
  return findSetup(tx)
}

/** Replaces the code. */
export async function saveCode(db: Db, { hash, expiresAt }: { hash: string; expiresAt: number }): Promise<void> {
  await db.updateTable('siteSetup').set({ codeHash: hash, codeExpiresAt: expiresAt }).execute()
}

/** Uses the code up; returns false if it is another, used or expired. */
export async function useCode(
  db: Db,
  { hash, browserHash, now }: { hash: string; browserHash: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('siteSetup')
    .set({ codeHash: null, codeExpiresAt: null, browserHash })
    .where('codeHash', '=', hash)
    .where('codeExpiresAt', '>', now)
    .where('openedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function markOpen(db: Db, { by, now }: { by: string; now: number }): Promise<void> {
  await db
    .updateTable('siteSetup')
    .set({ openedAt: now, openedBy: by, codeHash: null, codeExpiresAt: null, browserHash: null })
    .where('openedAt', 'is', null)
    .execute()
}

export async function saveConfirmedStep(
  db: Db,
  { step, by, now }: { step: ConfirmedStep; by: string; now: number },
): Promise<void> {
  const row = { doneAt: now, doneBy: by }
  await db
    .insertInto('setupStep')
    .values({ step, ...row })
    .onConflict((conflict) => conflict.column('step').doUpdateSet(row))
    .execute()
}

/** Takes a confirmation back, because what it was about has changed. */
export async function deleteConfirmedStep(db: Db, step: ConfirmedStep): Promise<void> {
  await db.deleteFrom('setupStep').where('step', '=', step).execute()
}
