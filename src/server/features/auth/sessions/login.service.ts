import type { AppContext } from '#server/app-context.ts'
import { randomBytes } from 'node:crypto'
import type { User } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import type { Subscription } from '#contract/public/account.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Verdict } from '#server/limits/rate-limiter.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { findMergeTargetEmail } from '#server/features/accounts/account-merge.queries.ts'
import { findAccountByLogin, toUser, type Account } from '#server/features/accounts/account.queries.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { deletedLoginHash, findDeletedLoginPasswordHash } from './deleted-login.queries.ts'
import { verifyPassword } from '../password-hash.service.ts'
import { isKnownBrowser, saveKnownBrowser } from './session.repository.ts'
import type { SessionService } from './session.service.ts'

export function createLoginService(
  { db, clock, secrets, botCheck, limiter, settings }: AppContext,
  {
    sessions,
    subscriptionOf,
  }: {
    sessions: SessionService
    subscriptionOf(accountId: string): Promise<Subscription | null>
  },
) {
  /**
   * Enforces the limit, except for a browser that has logged in to this account before: a stranger's guesses must not
   * lock the owner out.
   */
  async function createLimitCheck(
    account: Account | null,
    knownBrowser: string | null,
  ): Promise<(verdict: Verdict) => void> {
    const isOwnersBrowser =
      knownBrowser !== null && (await isKnownBrowser(db, hashToken(knownBrowser), account?.id ?? ''))
    return (verdict) => {
      if (!verdict.allowed && !isOwnersBrowser) throw new Problem('RATE_LIMITED', { rate: verdict })
    }
  }

  return {
    /**
     * Reveals nothing about who has an account: an unknown name and a wrong password get the same response and take
     * equally long.
     * @throws Problem INVALID_CREDENTIALS, ACCOUNT_INACTIVE (only after the right password), RATE_LIMITED,
     * BOT_CHECK_FAILED
     */
    async logIn({
      identifier,
      password,
      recaptchaToken,
      userAgent,
      knownBrowser,
    }: {
      identifier: string
      password: string
      recaptchaToken: string | undefined
      userAgent: string
      /** Cookie of a browser that logged in before; null if there is none. */
      knownBrowser: string | null
    }): Promise<{ token: string; user: User; subscription: Subscription | null; knownBrowser: string }> {
      await botCheck.require(recaptchaToken, 'login')
      // Always run both queries, so that every name takes equally long.
      const account = await findAccountByLogin(db, identifier)
      const departed = await findDeletedLoginPasswordHash(db, deletedLoginHash(secrets, identifier))
      const subject = account?.id ?? `nobody:${nameKey(identifier)}`
      const requireBelowLimit = await createLimitCheck(account, knownBrowser)
      requireBelowLimit(await limiter.peek('login-wrong', subject, settings().rateLimits.loginWrongPassword))
      // Concurrent guesses all pass this check; beyond the limit, the check below hides whether they were right.
      // An active account takes precedence over a deleted one that had the same name.
      if (!(await verifyPassword(account?.passwordHash ?? departed, password))) {
        requireBelowLimit(await limiter.hit('login-wrong', subject, settings().rateLimits.loginWrongPassword))
        throw new Problem('INVALID_CREDENTIALS')
      }
      requireBelowLimit(await limiter.peek('login-wrong', subject, settings().rateLimits.loginWrongPassword))
      if (!account) throw new Problem('ACCOUNT_INACTIVE')
      if (account.deactivatedBy !== null) {
        const kept = await findMergeTargetEmail(db, account.id)
        throw new Problem('ACCOUNT_INACTIVE', kept === null ? {} : { message: messages.mergedAccount(kept) })
      }
      const browser = knownBrowser ?? randomBytes(18).toString('base64url')
      const { token, save } = await sessions.prepare(account, userAgent)
      // One transaction: separate writes would each wait for the disk and delay other requests.
      await db.transaction().execute(async (tx) => {
        await save(tx)
        await saveKnownBrowser(tx, { browserHash: hashToken(browser), accountId: account.id, now: clock.now() })
      })
      return { token, user: toUser(account), subscription: await subscriptionOf(account.id), knownBrowser: browser }
    },
  }
}

export type LoginService = ReturnType<typeof createLoginService>
