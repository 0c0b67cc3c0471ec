import type { Db } from '#server/db/database.ts'
import { invalidateTokens } from '#server/features/auth/one-time-token.commands.ts'
import { revokeSessions } from '#server/features/auth/sessions/session.commands.ts'
import { incrementTokenVersion } from '#server/features/accounts/account.commands.ts'
import { deleteEmailChange } from './email-change/email-change.commands.ts'

/** Revokes sessions, tokens and emailed links, and deletes a pending change of address. */
export async function revokeAccess(db: Db, accountId: string, now: number): Promise<void> {
  await incrementTokenVersion(db, accountId, now)
  await revokeSessions(db, accountId, now)
  await invalidateTokens(db, { subjectId: accountId, now })
  await deleteEmailChange(db, accountId)
}
