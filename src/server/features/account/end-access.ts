import type { Db } from '#server/db/database.ts'
import { endTokens } from '../auth/one-time-token.repository.ts'
import { revokeSessions } from '../auth/session.repository.ts'
import { raiseTokenVersion } from './account.repository.ts'
import { forgetEmailChange } from './email-change.repository.ts'

/** Ends everything that opens an account or is about to: sessions, tokens, links in emails, and a change of address that waits. */
export async function endAccess(db: Db, accountId: string, now: number): Promise<void> {
  await raiseTokenVersion(db, accountId, now)
  await revokeSessions(db, accountId, now)
  await endTokens(db, { subjectId: accountId, now })
  await forgetEmailChange(db, accountId)
}
