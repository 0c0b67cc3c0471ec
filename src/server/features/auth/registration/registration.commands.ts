import type { Db } from '#server/db/database.ts'

/** Returns true only for the call that completes the registration; locks its row until the transaction ends. */
export async function markCompleted(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pendingRegistration')
    .set({ completedAt: now })
    .where('id', '=', id)
    .where('completedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function extendRegistration(db: Db, id: string, expiresAt: number): Promise<void> {
  await db
    .updateTable('pendingRegistration')
    .set({ expiresAt })
    .where('id', '=', id)
    .where('expiresAt', '<', expiresAt)
    .execute()
}
