import type { Db } from '#server/db/database.ts'

/** Returns how officers ended an account; null if they did not. */
export async function findAccountEnd(
  db: Db,
  accountId: string,
): Promise<{ ending: 'request' | 'deceased'; endedAt: number } | null> {
  const row = await db.selectFrom('accountEnd').selectAll().where('accountId', '=', accountId).executeTakeFirst()
  return row ? { ending: row.ending, endedAt: row.endedAt } : null
}

/** Returns how officers ended the accounts of an address; empty if an open account uses the address. */
export async function listAccountEndsByEmail(db: Db, emailKey: string): Promise<('request' | 'deceased')[]> {
  const rows = await db
    .selectFrom('account')
    .leftJoin('accountEnd', 'accountEnd.accountId', 'account.id')
    .select(['account.deactivatedBy', 'accountEnd.ending'])
    .where('account.emailKey', '=', emailKey)
    .execute()
  if (rows.some(({ deactivatedBy }) => deactivatedBy === null)) return []
  return rows.flatMap(({ ending }) => (ending === null ? [] : [ending]))
}
