import type { Db } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'

/** The accounts with these addresses: their ids by address, in lower case. */
export async function findMemberIds(db: Db, emails: readonly string[]): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const rows = await db
    .selectFrom('account')
    .select(['id', 'emailKey'])
    .where('emailKey', 'in', emails.map(nameKey))
    .execute()
  return new Map(rows.map(({ id, emailKey }) => [emailKey, id]))
}
