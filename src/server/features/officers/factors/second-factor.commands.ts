import type { Db } from '#server/db/database.ts'

/**
 * Deletes the app, passkeys and recovery codes and closes the console; the next visit sets up a new second factor.
 * @returns whether there was an app or a passkey
 */
export async function deleteSecondFactors(db: Db, accountId: string): Promise<boolean> {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await db.deleteFrom('session_proof').where('account_id', '=', accountId).execute()
  await db.deleteFrom('passkey_challenge').where('account_id', '=', accountId).execute()
  const passkeys = await db.deleteFrom('passkey').where('account_id', '=', accountId).executeTakeFirst()
  const app = await db.deleteFrom('second_factor').where('account_id', '=', accountId).executeTakeFirst()
  return passkeys.numDeletedRows + app.numDeletedRows > 0n
}
