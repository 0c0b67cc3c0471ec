import type { Db } from '#server/db/database.ts'

/**
 * Stores what log-in needs to report a deleted account as inactive. If two accounts had the name, the last one deleted
 * wins.
 */
export async function saveDeletedLogin(
  db: Db,
  { accountId, passwordHash, nameHashes }: { accountId: string; passwordHash: string; nameHashes: readonly string[] },
  now: number,
): Promise<void> {
  for (const nameHash of new Set(nameHashes)) {
    const row = { account_id: accountId, password_hash: passwordHash, left_at: now }
    await db
      .insertInto('departed_login')
      .values({ name_hash: nameHash, ...row })
      .onConflict((conflict) => conflict.column('name_hash').doUpdateSet(row))
      .execute()
  }
}

export async function deleteOldDeletedLogins(db: Db, before: number): Promise<void> {
  await db.deleteFrom('departed_login').where('left_at', '<', before).execute()
}
