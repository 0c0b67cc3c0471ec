import type { Secrets } from '#server/lib/secrets.ts'
import { createSignedTokens } from '#server/lib/signed-token.ts'

/** The claims of a session token: account, session, and the account's token version when it was issued. */
export interface SessionClaims {
  accountId: string
  sessionId: string
  tokenVersion: number
  /** Epoch milliseconds. */
  expiresAt: number
}

export function createSessionTokens(secrets: Secrets, siteUrl: string) {
  const tokens = createSignedTokens({
    key: secrets.key('session-token'),
    issuer: siteUrl,
    audience: 'members',
    type: 'session+jwt',
    claims: ['sid', 'ver'],
  })
  return {
    sign: ({ accountId, sessionId, tokenVersion, expiresAt }: SessionClaims, now: number): Promise<string> =>
      tokens.write({ sub: accountId, sid: sessionId, ver: tokenVersion }, { now, expiresAt }),
    /**
     * Returns null unless signature, algorithm, issuer, audience, type and time are all valid
     * (docs/product-rules.md#server-checks-of-a-token).
     */
    async verify(token: string, now: number): Promise<SessionClaims | null> {
      const payload = await tokens.read(token, now)
      if (!payload) return null
      const { sub, sid, ver, exp } = payload
      if (typeof sid !== 'string' || typeof ver !== 'number') return null
      return { accountId: sub, sessionId: sid, tokenVersion: ver, expiresAt: exp * 1_000 }
    },
  }
}
