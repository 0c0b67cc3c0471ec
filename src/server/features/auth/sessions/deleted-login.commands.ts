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
    const row = { accountId, passwordHash, leftAt: now }
    await db
      .insertInto('departedLogin')
      .values({ nameHash, ...row })
      .onConflict((conflict) => conflict.column('nameHash').doUpdateSet(row))
      .execute()
  }
}

export async function deleteOldDeletedLogins(db: Db, before: number): Promise<void> {
  await db.deleteFrom('departedLogin').where('leftAt', '<', before).execute()
}
