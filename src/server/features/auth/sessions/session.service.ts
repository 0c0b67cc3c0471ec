import type { AppContext } from '#server/app-context.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccount, type Account } from '#server/features/accounts/account.queries.ts'
import { browserFamily } from './browser-family.rules.ts'
import { createSessionTokens } from './session-token.service.ts'
import { createSession, markRefreshed, touchSession } from './session.repository.ts'
import { findSession } from './session.queries.ts'

/** The account and session of a valid token. */
export interface AuthenticatedSession {
  accountId: string
  sessionId: string
  tokenExpiresAt: number
}

type SessionAccount = Pick<Account, 'id' | 'tokenVersion'>

const TOUCH_EVERY_MS = 3_600_000
const DAY_MS = 86_400_000

export function createSessionService({ db, clock, secrets, siteUrl, settings }: AppContext) {
  const tokens = createSessionTokens(secrets, siteUrl)

  const service = {
    /**
     * The same in two steps: signs the token first, so that a shared transaction does not wait for it. The token is valid
     * once `save` is done.
     */
    async prepare(
      { id: accountId, tokenVersion }: SessionAccount,
      userAgent: string,
    ): Promise<{ token: string; sessionId: string; save(db: Db): Promise<void> }> {
      const now = clock.now()
      const sessionId = newId(now)
      const expiresAt = now + settings().session.days * DAY_MS
      return {
        sessionId,
        token: await tokens.sign({ accountId, sessionId, tokenVersion, expiresAt }, now),
        save: (tx) => createSession(tx, { id: sessionId, accountId, browser: browserFamily(userAgent), now }),
      }
    },

    /** Starts a session in the given transaction or database; returns its token, valid for 7 days. */
    async start(tx: Db, account: SessionAccount, userAgent: string): Promise<string> {
      const { token, save } = await service.prepare(account, userAgent)
      await save(tx)
      return token
    },

    /**
     * @throws Problem SESSION_EXPIRED (401) for any invalid token, ACCOUNT_INACTIVE (403) for a deactivated account
     * (docs/product-rules.md#when-a-session-ends)
     */
    async authenticate(token: string): Promise<AuthenticatedSession> {
      const now = clock.now()
      const claims = await tokens.verify(token, now)
      const session = claims && (await findSession(db, claims.sessionId))
      if (!claims || !session || session.accountId !== claims.accountId) throw new Problem('SESSION_EXPIRED')
      if (session.deactivatedBy !== null) throw new Problem('ACCOUNT_INACTIVE')
      if (session.revokedAt !== null || session.tokenVersion !== claims.tokenVersion)
        throw new Problem('SESSION_EXPIRED')
      if (now - session.lastSeenAt > TOUCH_EVERY_MS) await touchSession(db, claims.sessionId, now)
      return { accountId: claims.accountId, sessionId: claims.sessionId, tokenExpiresAt: claims.expiresAt }
    },

    /**
     * Exchanges a token with under 5 minutes left, once (docs/product-rules.md#token-refresh).
     * @throws Problem REFRESH_TOO_EARLY, SESSION_EXPIRED
     */
    async refresh({ accountId, sessionId, tokenExpiresAt }: AuthenticatedSession, userAgent: string): Promise<string> {
      const now = clock.now()
      if (tokenExpiresAt - now >= limits.session.refreshThresholdMs) throw new Problem('REFRESH_TOO_EARLY')
      if (!(await markRefreshed(db, sessionId, now))) throw new Problem('SESSION_EXPIRED')
      const account = await findAccount(db, accountId)
      if (!account) throw new Problem('SESSION_EXPIRED')
      return service.start(db, account, userAgent)
    },
  }
  return service
}

export type SessionService = ReturnType<typeof createSessionService>
