import type { Db } from '#server/db/database.ts'
import { nameKey } from '../account/account.repository.ts'
import type { Secrets } from '#server/platform/secrets.ts'

/** Days that log-in still knows an account that its owner deleted, as the privacy policy says. */
export const DEPARTED_LOGIN_DAYS = 30

/** How log-in knows the names of deleted accounts: keyed, so that nobody can read from it who left. */
export function departedNameHash(secrets: Secrets, name: string): string {
  return secrets.sign('departed-login', nameKey(name))
}

/** Keeps what log-in needs to say that an account is not active. Of two accounts with one name, the one that left last counts. */
export async function saveDepartedLogin(
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

/** The password of the deleted account with a name, as it was; null when there is none. */
export async function findDepartedPassword(db: Db, nameHash: string): Promise<string | null> {
  const row = await db
    .selectFrom('departed_login')
    .select('password_hash')
    .where('name_hash', '=', nameHash)
    .executeTakeFirst()
  return row?.password_hash ?? null
}

export async function forgetDepartedLogins(db: Db, before: number): Promise<void> {
  await db.deleteFrom('departed_login').where('left_at', '<', before).execute()
}
