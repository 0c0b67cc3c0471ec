import type { Db } from '#server/db/database.ts'

/** Returns how officers ended an account; null if they did not. */
export async function findAccountEnd(
  db: Db,
  accountId: string,
): Promise<{ ending: 'request' | 'deceased'; endedAt: number } | null> {
  const row = await db.selectFrom('account_end').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  return row ? { ending: row.ending, endedAt: row.ended_at } : null
}

/** Returns how officers ended the accounts of an address; empty if an open account uses the address. */
export async function listAccountEndsByEmail(db: Db, emailKey: string): Promise<('request' | 'deceased')[]> {
  const rows = await db
    .selectFrom('account')
    .leftJoin('account_end', 'account_end.account_id', 'account.id')
    .select(['account.deactivated_by as deactivatedBy', 'account_end.ending'])
    .where('account.email_key', '=', emailKey)
    .execute()
  if (rows.some(({ deactivatedBy }) => deactivatedBy === null)) return []
  return rows.flatMap(({ ending }) => (ending === null ? [] : [ending]))
}
