import { limits } from '#contract/limits.ts'
import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { findAccount, type Account } from '../account/account.repository.ts'
import { browserFamily } from './browser-family.rules.ts'
import { createSessionTokens } from './session-token.ts'
import { createSession, findSession, markRefreshed, touchSession } from './session.repository.ts'

/** A valid token's account and session. */
export interface SignedIn {
  accountId: string
  sessionId: string
  tokenExpiresAt: number
}

type Holder = Pick<Account, 'id' | 'tokenVersion'>

export interface SessionService {
  /** Begins a session in the given transaction or database and returns its token, good for 7 days. */
  begin(db: Db, account: Holder, userAgent: string): Promise<string>
  /** The same in two steps, for who shares the database with many: signed first, so that no transaction waits for it. The token is good once `save` is done. */
  prepare(account: Holder, userAgent: string): Promise<{ token: string; save(db: Db): Promise<void> }>
  /** @throws Problem SESSION_EXPIRED (401) for any token that does not hold, ACCOUNT_INACTIVE (403) for a deactivated account (docs/product-rules.md#when-a-session-ends) */
  authenticate(token: string): Promise<SignedIn>
  /** Exchanges a token with under 5 minutes left, once (docs/product-rules.md#token-refresh). @throws Problem REFRESH_TOO_EARLY, SESSION_EXPIRED */
  refresh(caller: SignedIn, userAgent: string): Promise<string>
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
        token: await tokens.write({ accountId, sessionId, tokenVersion, expiresAt }, now),
        save: (tx) => createSession(tx, { id: sessionId, accountId, browser: browserFamily(userAgent), now }),
      }
    },

    async begin(tx, account, userAgent) {
      const { token, save } = await service.prepare(account, userAgent)
      await save(tx)
      return token
    },

    async authenticate(token) {
      const now = clock.now()
      const claims = await tokens.read(token, now)
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
      return service.begin(db, account, userAgent)
    },
  }
  return service
}
