import type { Db } from '#server/db/database.ts'
import { nameKey, takeName, type Account } from './account.repository.ts'

/**
 * Stores username and name; the former username is free again at once. False when the new one belongs to somebody else. Within a transaction that holds
 * the account's lock.
 */
export async function changeProfile(
  db: Db,
  account: Account,
  profile: { username: string; firstName: string; lastName: string },
  now: number,
): Promise<boolean> {
  const { id, email } = account
  if (nameKey(profile.username) !== nameKey(account.username)) {
    if (!(await takeName(db, { name: profile.username, accountId: id, email, now }))) return false
    await giveBackName(db, { id, email }, account.username)
  }
  await db
    .updateTable('account')
    .set({
      username: profile.username,
      first_name: profile.firstName,
      last_name: profile.lastName,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
  return true
}

/** Moves an account to another address, and with it a username that is the address (docs/product-rules.md#usernames). False when the address belongs to somebody else. */
export async function changeEmailAddress(db: Db, account: Account, email: string, now: number): Promise<boolean> {
  const { id, username } = account
  if (!(await takeName(db, { name: email, accountId: id, email, now }))) return false
  const usernameIsAddress = nameKey(username) === nameKey(account.email)
  await db
    .updateTable('account')
    .set({ email, email_key: nameKey(email), ...(usernameIsAddress && { username: email }), updated_at: now })
    .where('id', '=', id)
    .execute()
  const kept = usernameIsAddress ? email : username
  await giveBackName(db, { id, email: kept }, account.email)
  return true
}

/** Frees a name of an account, unless it is also its address. */
async function giveBackName(db: Db, { id, email }: { id: string; email: string }, name: string): Promise<void> {
  if (nameKey(name) === nameKey(email)) return
  await db.deleteFrom('login_name').where('account_id', '=', id).where('name_key', '=', nameKey(name)).execute()
}
