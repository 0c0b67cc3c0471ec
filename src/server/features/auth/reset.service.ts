import type { AppContext } from '#server/app-context.ts'
import { randomBytes } from 'node:crypto'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { setPassword } from '#server/features/accounts/account.commands.ts'
import { countRequestedEmail } from '#server/features/accounts/email-limit.service.ts'
import { invalidateTokens, useOneTimeToken } from './one-time-token.commands.ts'
import { findOneTimeTokenByHash } from './one-time-token.queries.ts'
import { officerPasswordProblem, passwordProblem } from './password.rules.ts'
import { hashPassword } from './password-hash.service.ts'
import { saveKnownBrowser } from './sessions/session.repository.ts'
import { revokeSessions } from './sessions/session.commands.ts'
import { forgotPassword } from './auth.effects.ts'
import { sendPasswordChanged } from './auth.emails.ts'

export function createResetService(
  { db, clock, botCheck, limiter, wakeOutbox, settings }: AppContext,
  {
    isOfficer,
  }: {
    isOfficer(accountId: string): Promise<boolean>
  },
) {
  return {
    /** Queues the reset email; reveals nothing about accounts. @throws Problem BOT_CHECK_FAILED */
    async requestLink(email: string, recaptchaToken: string | undefined): Promise<void> {
      await botCheck.require(recaptchaToken, 'password_reset')
      if (await countRequestedEmail(limiter, email, settings().rateLimits.lettersPerEmail)) {
        // The outbox is not woken: work done only for known addresses would slow the next request and reveal them.
        await addToOutbox(db, { effect: forgotPassword, payload: { email } }, clock.now())
      }
    },

    /**
     * Stores the new password, once per link, and ends every session. Marks the browser as the owner's, so that it can
     * log in while a stranger is guessing.
     * @throws Problem RESET_LINK_INVALID, INVALID_INPUT
     */
    async reset({
      token,
      userId,
      newPassword,
      knownBrowser,
    }: {
      token: string
      userId: string
      newPassword: string
      /** Cookie of a browser that logged in before; null if there is none. */
      knownBrowser: string | null
    }): Promise<{ knownBrowser: string }> {
      const found = await findOneTimeTokenByHash(db, { tokenHash: hashToken(token), purpose: 'password_reset' })
      const now = clock.now()
      if (!found || found.subjectId !== userId || found.usedAt !== null || found.expiresAt <= now) {
        throw new Problem('RESET_LINK_INVALID')
      }
      const account = await findAccount(db, userId)
      if (!account || account.deactivatedBy !== null) throw new Problem('RESET_LINK_INVALID')
      const fault =
        passwordProblem(newPassword, account) ??
        ((await isOfficer(account.id)) ? officerPasswordProblem(newPassword) : null)
      if (fault) throw fieldProblem('newPassword', fault)

      const passwordHash = await hashPassword(newPassword)
      const browser = knownBrowser ?? randomBytes(18).toString('base64url')
      await db.transaction().execute(async (tx) => {
        if (!(await useOneTimeToken(tx, found.id, now))) throw new Problem('RESET_LINK_INVALID')
        await setPassword(tx, account.id, passwordHash, now)
        // End all links: one that moves the account to a stranger's address must not survive the owner's reset.
        await invalidateTokens(tx, { subjectId: account.id, now })
        await revokeSessions(tx, account.id, now)
        await saveKnownBrowser(tx, { browserHash: hashToken(browser), accountId: account.id, now })
        await writeAudit(tx, { actor: account.id, action: 'password.reset', subjectId: account.id }, now)
        await addToOutbox(tx, { effect: sendPasswordChanged, payload: { accountId: account.id } }, now)
      })
      wakeOutbox()
      return { knownBrowser: browser }
    },
  }
}

export type ResetService = ReturnType<typeof createResetService>
