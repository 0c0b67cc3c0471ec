import type { Db } from '#server/db/database.ts'

/**
 * Deletes the app, passkeys and recovery codes and closes the console; the next visit sets up a new second factor.
 * @returns whether there was an app or a passkey
 */
export async function deleteSecondFactors(db: Db, accountId: string): Promise<boolean> {
  await db.deleteFrom('recoveryCode').where('accountId', '=', accountId).execute()
  await db.deleteFrom('sessionProof').where('accountId', '=', accountId).execute()
  await db.deleteFrom('passkeyChallenge').where('accountId', '=', accountId).execute()
  const passkeys = await db.deleteFrom('passkey').where('accountId', '=', accountId).executeTakeFirst()
  const app = await db.deleteFrom('secondFactor').where('accountId', '=', accountId).executeTakeFirst()
  return passkeys.numDeletedRows + app.numDeletedRows > 0n
}
