import type { Db } from '#server/db/database.ts'
import { hashToken } from '#server/lib/secrets.ts'

/** Changes when the account's password, authenticator app or passkeys change. */
export async function credentialsFingerprint(db: Db, accountId: string): Promise<string> {
  const account = await db
    .selectFrom('account')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const app = await db
    .selectFrom('second_factor')
    .select(['secret', 'confirmed_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const passkeys = await db
    .selectFrom('passkey')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  return hashToken(JSON.stringify([account.password_hash, app?.confirmed_at ? app.secret : null, passkeys]))
}
