import type { Db } from '#server/db/database.ts'
import { hashToken } from '#server/platform/secrets.ts'
import { setPassword } from './account.repository.ts'
import { forgetSecondFactor } from '../console/second-factor.repository.ts'

/** Differs once the password, the authenticator app or a passkey of an account is another one. */
export async function signInFingerprint(db: Db, accountId: string): Promise<string> {
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

/** Forgets password and second factor: the owner chooses a password by the email of "Forgot password". @param passwordHash of a password nobody knows */
export async function resetSignIn(db: Db, accountId: string, passwordHash: string, now: number): Promise<void> {
  await setPassword(db, accountId, passwordHash, now)
  await forgetSecondFactor(db, accountId)
}
