import { limits } from '#contract/limits.ts'
import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Secrets } from '#server/lib/secrets.ts'
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

export interface SessionService {
  /** Starts a session in the given transaction or database; returns its token, valid for 7 days. */
  start(db: Db, account: SessionAccount, userAgent: string): Promise<string>
  /**
   * The same in two steps: signs the token first, so that a shared transaction does not wait for it. The token is valid
   * once `save` is done.
   */
  prepare(account: SessionAccount, userAgent: string): Promise<{ token: string; save(db: Db): Promise<void> }>
  /**
   * @throws Problem SESSION_EXPIRED (401) for any invalid token, ACCOUNT_INACTIVE (403) for a deactivated account
   * (docs/product-rules.md#when-a-session-ends)
   */
  authenticate(token: string): Promise<AuthenticatedSession>
  /**
   * Exchanges a token with under 5 minutes left, once (docs/product-rules.md#token-refresh).
   * @throws Problem REFRESH_TOO_EARLY, SESSION_EXPIRED
   */
  refresh(caller: AuthenticatedSession, userAgent: string): Promise<string>
}

const TOUCH_EVERY_MS = 3_600_000
const DAY_MS = 86_400_000

export function createSessionService({
  db,
  clock,
  secrets,
  siteUrl,
  sessionDays,
}: {
  db: Db
  clock: Clock
  secrets: Secrets
  siteUrl: string
  sessionDays(): number
}): SessionService {
  const tokens = createSessionTokens(secrets, siteUrl)

  const service: SessionService = {
    async prepare({ id: accountId, tokenVersion }, userAgent) {
      const now = clock.now()
      const sessionId = newId(now)
      const expiresAt = now + sessionDays() * DAY_MS
      return {
        token: await tokens.sign({ accountId, sessionId, tokenVersion, expiresAt }, now),
        save: (tx) => createSession(tx, { id: sessionId, accountId, browser: browserFamily(userAgent), now }),
      }
    },

    async start(tx, account, userAgent) {
      const { token, save } = await service.prepare(account, userAgent)
      await save(tx)
      return token
    },

    async authenticate(token) {
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

    async refresh({ accountId, sessionId, tokenExpiresAt }, userAgent) {
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
