import type { Db } from '#server/db/database.ts'

/**
 * Closes an account: invalidates tokens, releases its names (docs/product-rules.md#usernames) and erases what only an
 * open account needs. Name and address stay with the payments, as bookkeeping and the privacy policy require.
 */
export async function closeAccount(db: Db, accountId: string, now: number): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({
      deactivatedBy: 'self' as const,
      tokenVersion: eb('tokenVersion', '+', 1),
      passwordHash: '',
      username: accountId,
      updatedAt: now,
    }))
    .where('id', '=', accountId)
    .execute()
  await db.deleteFrom('loginName').where('accountId', '=', accountId).execute()
  // The registration this account was created from still holds the password hash.
  await db.deleteFrom('pendingRegistration').where('id', '=', accountId).execute()
}

/** Records that officers ended an account, and how. */
export async function recordAccountEnd(
  db: Db,
  {
    accountId,
    ending,
    endedBy,
    now,
  }: { accountId: string; ending: 'request' | 'deceased'; endedBy: string; now: number },
): Promise<void> {
  await db
    .insertInto('accountEnd')
    .values({ accountId, ending, endedBy, endedAt: now })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()
}
