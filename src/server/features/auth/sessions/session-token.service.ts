import type { Secrets } from '#server/platform/secrets.ts'
import { createSignedTokens } from '#server/platform/signed-token.ts'

/** What a session token says: whose, which session, and the account's token version when it was made. */
export interface SessionClaims {
  accountId: string
  sessionId: string
  tokenVersion: number
  /** Epoch milliseconds. */
  expiresAt: number
}

export interface SessionTokens {
  write(claims: SessionClaims, now: number): Promise<string>
  /** null unless signature, algorithm, issuer, audience, type and time all fit (docs/product-rules.md#server-checks-of-a-token). */
  read(token: string, now: number): Promise<SessionClaims | null>
}

export function createSessionTokens(secrets: Secrets, siteUrl: string): SessionTokens {
  const tokens = createSignedTokens({
    key: secrets.key('session-token'),
    issuer: siteUrl,
    audience: 'members',
    type: 'session+jwt',
    claims: ['sid', 'ver'],
  })
  return {
    write: ({ accountId, sessionId, tokenVersion, expiresAt }, now) =>
      tokens.write({ sub: accountId, sid: sessionId, ver: tokenVersion }, { now, expiresAt }),
    async read(token, now) {
      const said = await tokens.read(token, now)
      if (!said) return null
      const { sub, sid, ver, exp } = said
      if (typeof sid !== 'string' || typeof ver !== 'number') return null
      return { accountId: sub, sessionId: sid, tokenVersion: ver, expiresAt: exp * 1_000 }
    },
  }
}
