import type { Selectable } from 'kysely'
import type { User } from '#contract/fields.ts'
import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { AccountTable } from '#server/db/schema/account-schema.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'

export type Account = Selectable<AccountTable>

export async function findAccount(db: Db, id: string): Promise<Account | null> {
  const row = await db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Returns the names and addresses of the accounts that still exist, by id. */
export async function findNamesAndEmails(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { name: string; email: string }>> {
  const rows = await queryInChunks([...new Set(ids)], (batch) =>
    db.selectFrom('account').select(['id', 'firstName', 'lastName', 'email']).where('id', 'in', batch).execute(),
  )
  return new Map(rows.map((row) => [row.id, { name: `${row.firstName} ${row.lastName}`, email: row.email }]))
}

/**
 * Finds an account by username or email address. Accounts deleted by their owner have released their names and are not
 * found.
 */
export async function findAccountByLogin(db: Db, name: string): Promise<Account | null> {
  const row = await db
    .selectFrom('loginName')
    .innerJoin('account', 'account.id', 'loginName.accountId')
    .selectAll('account')
    .where('loginName.nameKey', '=', nameKey(name))
    .executeTakeFirst()
  return row ?? null
}

/** Finds an account by its email address; a username that looks like the address does not match. */
export async function findAccountByEmail(db: Db, email: string): Promise<Account | null> {
  const account = await findAccountByLogin(db, email)
  return account && nameKey(account.email) === nameKey(email) ? account : null
}

export type NewAccount = Pick<
  Account,
  'id' | 'username' | 'email' | 'passwordHash' | 'firstName' | 'lastName' | 'createdAt'
> & { isOfficer?: boolean }

export function toUser({
  id,
  username,
  email,
  firstName,
  lastName,
}: Pick<Account, 'id' | 'username' | 'email' | 'firstName' | 'lastName'>): User {
  return { _id: id, username, email, name: { first: firstName, last: lastName } }
}
