import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { BotCheck } from '#server/platform/bot-check.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import { hashToken } from '#server/platform/secrets.ts'
import { findAccount, setPassword } from '../account/account.repository.ts'
import { hasRoomForLetter } from '../account/letter-limit.ts'
import { endTokens, findOneTimeTokenByHash, useOneTimeToken } from './one-time-token.repository.ts'
import { officerPasswordFault, passwordFault } from './password.rules.ts'
import { hashPassword } from './passwords.ts'
import { rememberBrowser, revokeSessions } from './session.repository.ts'

export interface ResetService {
  /** Queues a letter for whoever it is; says nothing about accounts. @throws Problem BOT_CHECK_FAILED */
  requestLink(email: string, recaptchaToken: string | undefined): Promise<void>
  /**
   * Stores the new password, once for a link, and ends every session. The browser that did it counts as the owner's from now on, so that the owner gets
   * in although a stranger is guessing.
   * @throws Problem RESET_LINK_INVALID, INVALID_INPUT
   */
  reset(request: {
    token: string
    userId: string
    newPassword: string
    /** Cookie of a browser that logged in before; null when there is none. */
    knownBrowser: string | null
  }): Promise<{ knownBrowser: string }>
}

export function createResetService({
  db,
  clock,
  botCheck,
  limiter,
  letterLimit,
  isOfficer,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  botCheck: BotCheck
  limiter: RateLimiter
  letterLimit(): Limit
  isOfficer(accountId: string): Promise<boolean>
  wakeOutbox(): void
}): ResetService {
  return {
    async requestLink(email, recaptchaToken) {
      await botCheck.require(recaptchaToken, 'password_reset')
      if (await hasRoomForLetter(limiter, email, letterLimit())) {
        // Not woken for it: work that only a known address causes must not slow the very next call, which would tell.
        await addToOutbox(db, { kind: 'auth.forgot_password', payload: { email } }, clock.now())
      }
    },

    async reset({ token, userId, newPassword, knownBrowser }) {
      const found = await findOneTimeTokenByHash(db, { tokenHash: hashToken(token), purpose: 'password_reset' })
      const now = clock.now()
      if (!found || found.subjectId !== userId || found.usedAt !== null || found.expiresAt <= now) {
        throw new Problem('RESET_LINK_INVALID')
      }
      const account = await findAccount(db, userId)
      if (!account || account.deactivatedBy !== null) throw new Problem('RESET_LINK_INVALID')
      const fault =
        passwordFault(newPassword, account) ??
        ((await isOfficer(account.id)) ? officerPasswordFault(newPassword) : null)
      if (fault) throw fieldProblem('newPassword', fault)

      const passwordHash = await hashPassword(newPassword)
      const browser = knownBrowser ?? randomBytes(18).toString('base64url')
      await db.transaction().execute(async (tx) => {
        if (!(await useOneTimeToken(tx, found.id, now))) throw new Problem('RESET_LINK_INVALID')
        await setPassword(tx, account.id, passwordHash, now)
        // Every link there is: one that would move the account to a stranger's address must not outlive the owner's reset.
        await endTokens(tx, { subjectId: account.id, now })
        await revokeSessions(tx, account.id, now)
        await rememberBrowser(tx, { browserHash: hashToken(browser), accountId: account.id, now })
        await writeAudit(tx, { actor: account.id, action: 'password.reset', subjectId: account.id }, now)
        await addToOutbox(tx, { kind: 'letter.password_changed', payload: { accountId: account.id } }, now)
      })
      wakeOutbox()
      return { knownBrowser: browser }
    },
  }
}
