import { randomBytes } from 'node:crypto'
import type { User } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import type { Subscription } from '#contract/account.ts'
import type { Db } from '#server/db/database.ts'
import type { BotCheck } from '#server/platform/bot-check.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter, Verdict } from '#server/platform/rate-limiter.ts'
import { hashToken, type Secrets } from '#server/platform/secrets.ts'
import { findKeptAddress } from '../account/account-merge.repository.ts'
import { findAccountByName, nameKey, toUser, type Account } from '../account/account.repository.ts'
import { departedNameHash, findDepartedPassword } from './departed-login.repository.ts'
import { isPasswordRight } from './passwords.ts'
import { isKnownBrowser, rememberBrowser } from './session.repository.ts'
import type { SessionService } from './session.service.ts'

export interface LoginService {
  /**
   * Says nothing about who has an account: an unknown name and a wrong password answer alike and take as long.
   * @throws Problem INVALID_CREDENTIALS, ACCOUNT_INACTIVE (only after the right password), RATE_LIMITED, BOT_CHECK_FAILED
   */
  logIn(request: {
    identifier: string
    password: string
    recaptchaToken: string | undefined
    userAgent: string
    /** Cookie of a browser that logged in before; null when there is none. */
    knownBrowser: string | null
  }): Promise<{ token: string; user: User; subscription: Subscription | null; knownBrowser: string }>
}

export function createLoginService({
  db,
  clock,
  secrets,
  botCheck,
  limiter,
  sessions,
  wrongPasswordLimit,
  subscriptionOf,
}: {
  db: Db
  clock: Clock
  secrets: Secrets
  botCheck: BotCheck
  limiter: RateLimiter
  sessions: SessionService
  wrongPasswordLimit(): Limit
  subscriptionOf(accountId: string): Promise<Subscription | null>
}): LoginService {
  /** Refuses what is over the limit, but not to the owner while a stranger guesses: a browser that was signed in to this account may always try. */
  async function guard(account: Account | null, knownBrowser: string | null): Promise<(verdict: Verdict) => void> {
    const isOwners = knownBrowser !== null && (await isKnownBrowser(db, hashToken(knownBrowser), account?.id ?? ''))
    return (verdict) => {
      if (!verdict.allowed && !isOwners) throw new Problem('RATE_LIMITED', { rate: verdict })
    }
  }

  return {
    async logIn({ identifier, password, recaptchaToken, userAgent, knownBrowser }) {
      await botCheck.require(recaptchaToken, 'login')
      // Both are asked whatever the other says, so that every name takes as long.
      const account = await findAccountByName(db, identifier)
      const departed = await findDepartedPassword(db, departedNameHash(secrets, identifier))
      const subject = account?.id ?? `nobody:${nameKey(identifier)}`
      const refuseGuess = await guard(account, knownBrowser)
      refuseGuess(await limiter.peek('login-wrong', subject, wrongPasswordLimit()))
      // Guesses sent at once all pass here; those beyond the limit learn nothing below, neither wrong nor right.
      // Somebody who has the name now comes before whoever had it once.
      if (!(await isPasswordRight(account?.passwordHash ?? departed, password))) {
        refuseGuess(await limiter.hit('login-wrong', subject, wrongPasswordLimit()))
        throw new Problem('INVALID_CREDENTIALS')
      }
      refuseGuess(await limiter.peek('login-wrong', subject, wrongPasswordLimit()))
      if (!account) throw new Problem('ACCOUNT_INACTIVE')
      if (account.deactivatedBy !== null) {
        const kept = await findKeptAddress(db, account.id)
        throw new Problem('ACCOUNT_INACTIVE', kept === null ? {} : { message: messages.mergedAccount(kept) })
      }
      const browser = knownBrowser ?? randomBytes(18).toString('base64url')
      const { token, save } = await sessions.prepare(account, userAgent)
      // Together: each write of its own waits for the disk, and everyone else with it.
      await db.transaction().execute(async (tx) => {
        await save(tx)
        await rememberBrowser(tx, { browserHash: hashToken(browser), accountId: account.id, now: clock.now() })
      })
      return { token, user: toUser(account), subscription: await subscriptionOf(account.id), knownBrowser: browser }
    },
  }
}
