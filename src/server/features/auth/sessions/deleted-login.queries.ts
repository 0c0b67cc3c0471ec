import type { Db } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import type { Secrets } from '#server/lib/secrets.ts'

/** Days after deletion during which log-in recognizes the account, as the privacy policy says. */
export const DELETED_LOGIN_DAYS = 30

/** Hash by which log-in finds deleted accounts: keyed, so that the table does not reveal who left. */
export function deletedLoginHash(secrets: Secrets, name: string): string {
  return secrets.sign('departed-login', nameKey(name))
}

/** Returns the former password hash of the deleted account with this name; null if there is none. */
export async function findDeletedLoginPasswordHash(db: Db, nameHash: string): Promise<string | null> {
  const row = await db
    .selectFrom('departedLogin')
    .select('passwordHash')
    .where('nameHash', '=', nameHash)
    .executeTakeFirst()
  return row?.passwordHash ?? null
}
