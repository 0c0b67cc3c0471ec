import { jwtVerify, SignJWT } from 'jose'
import type { Secrets } from '#server/platform/secrets.ts'

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
  /** null unless signature, algorithm, issuer, audience, type and time all fit (decision A4). */
  read(token: string, now: number): Promise<SessionClaims | null>
}

const ALGORITHM = 'HS256'
const AUDIENCE = 'members'
const TYPE = 'session+jwt'

export function createSessionTokens(secrets: Secrets, siteUrl: string): SessionTokens {
  const key = secrets.key('session-token')
  return {
    write: ({ accountId, sessionId, tokenVersion, expiresAt }, now) =>
      new SignJWT({ sid: sessionId, ver: tokenVersion })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setSubject(accountId)
        .setIssuer(siteUrl)
        .setAudience(AUDIENCE)
        .setIssuedAt(Math.floor(now / 1_000))
        .setExpirationTime(Math.floor(expiresAt / 1_000))
        .sign(key),
    async read(token, now) {
      if (!isCanonical(token)) return null
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          issuer: siteUrl,
          audience: AUDIENCE,
          typ: TYPE,
          currentDate: new Date(now),
          requiredClaims: ['sub', 'sid', 'ver', 'exp', 'iat'],
        })
        const { sub, sid, ver, exp } = payload
        if (typeof sub !== 'string' || typeof sid !== 'string' || typeof ver !== 'number' || !exp) return null
        return { accountId: sub, sessionId: sid, tokenVersion: ver, expiresAt: exp * 1_000 }
      } catch {
        return null
      }
    },
  }
}

/** Base64url lets several texts stand for the same signature: only the one we wrote counts, so that no altered token holds (T20). */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}
