import type { Db } from '#server/db/database.ts'
import { setPassword } from '#server/features/accounts/account.commands.ts'
import { deleteSecondFactors } from './factors/second-factor.commands.ts'
import { recordVerification } from './factors/second-factor.repository.ts'

/** Opens the console in a session as a second factor does, without one: for sessions of a demo only. */
export const openConsole = recordVerification

/**
 * Resets password and second factor; the owner sets a new password through "Forgot password".
 * @param passwordHash hash of a random password
 */
export async function resetCredentials(db: Db, accountId: string, passwordHash: string, now: number): Promise<void> {
  await setPassword(db, accountId, passwordHash, now)
  await deleteSecondFactors(db, accountId)
}
