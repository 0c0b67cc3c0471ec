import type { Db } from '#server/db/database.ts'
import { hashToken } from '#server/lib/secrets.ts'

/** Changes when the account's password, authenticator app or passkeys change. */
export async function credentialsFingerprint(db: Db, accountId: string): Promise<string> {
  const account = await db
    .selectFrom('account')
    .select('passwordHash')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const app = await db
    .selectFrom('secondFactor')
    .select(['secret', 'confirmedAt'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  const passkeys = await db
    .selectFrom('passkey')
    .select('id')
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute()
  return hashToken(JSON.stringify([account.passwordHash, app?.confirmedAt ? app.secret : null, passkeys]))
}
