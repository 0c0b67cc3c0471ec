import type { Updateable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { AccountTable } from '#server/db/schema/account-schema.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { assignLoginName } from './account.commands.ts'
import { type Account } from './account.queries.ts'

/** What the owner of an account may change about themselves, besides address and password. */
type ProfileColumns = Omit<
  Updateable<AccountTable>,
  'id' | 'email' | 'emailKey' | 'passwordHash' | 'tokenVersion' | 'deactivatedBy' | 'isOfficer' | 'stripeCustomerId'
>

/**
 * Stores changed fields of a profile and releases a former username. Returns false if the new one is taken. Call it in a
 * transaction that holds the account's lock.
 */
export async function changeProfile(db: Db, account: Account, changes: ProfileColumns, now: number): Promise<boolean> {
  const { id, email } = account
  const { username = account.username } = changes
  if (nameKey(username) !== nameKey(account.username)) {
    if (!(await assignLoginName(db, { name: username, accountId: id, email, now }))) return false
    await releaseName(db, { id, email }, account.username)
  }
  await db
    .updateTable('account')
    .set({ ...changes, updatedAt: now })
    .where('id', '=', id)
    .execute()
  return true
}

/**
 * Moves an account to another address, and with it a username that is the address (docs/product-rules.md#usernames).
 * Returns false if the address is taken.
 */
export async function changeEmailAddress(db: Db, account: Account, email: string, now: number): Promise<boolean> {
  const { id, username } = account
  if (!(await assignLoginName(db, { name: email, accountId: id, email, now }))) return false
  const usernameIsAddress = nameKey(username) === nameKey(account.email)
  await db
    .updateTable('account')
    .set({ email, emailKey: nameKey(email), ...(usernameIsAddress && { username: email }), updatedAt: now })
    .where('id', '=', id)
    .execute()
  const kept = usernameIsAddress ? email : username
  await releaseName(db, { id, email: kept }, account.email)
  return true
}

/** Releases a name of an account, unless it is also its address. */
async function releaseName(db: Db, { id, email }: { id: string; email: string }, name: string): Promise<void> {
  if (nameKey(name) === nameKey(email)) return
  await db.deleteFrom('loginName').where('accountId', '=', id).where('nameKey', '=', nameKey(name)).execute()
}
