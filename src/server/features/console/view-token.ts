import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import type { Secrets } from '#server/platform/secrets.ts'

/** What a view's token says: which view, whose site, and the officer's token version when it was opened. */
export interface ViewClaims {
  viewingId: string
  accountId: string
  officerVersion: number
  /** Epoch milliseconds. */
  expiresAt: number
}

export interface ViewTokens {
  write(claims: ViewClaims, now: number): Promise<string>
  /** null unless everything fits. */
  read(token: string, now: number): Promise<ViewClaims | null>
}

const ALGORITHM = 'HS256'
const AUDIENCE = 'views'
const TYPE = 'view+jwt'

/** Whether a token says of itself that it is a view's. Nothing is checked: a forged one may change as little as a true one. */
export function isViewToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === TYPE
  } catch {
    return false
  }
}

export function createViewTokens(secrets: Secrets, siteUrl: string): ViewTokens {
  const key = secrets.key('view-token')
  return {
    write: ({ viewingId, accountId, officerVersion, expiresAt }, now) =>
      new SignJWT({ vid: viewingId, ver: officerVersion })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setSubject(accountId)
        .setIssuer(siteUrl)
        .setAudience(AUDIENCE)
        .setIssuedAt(Math.floor(now / 1_000))
        .setExpirationTime(Math.floor(expiresAt / 1_000))
        .sign(key),
    async read(token, now) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          issuer: siteUrl,
          audience: AUDIENCE,
          typ: TYPE,
          currentDate: new Date(now),
          requiredClaims: ['sub', 'vid', 'ver', 'exp', 'iat'],
        })
        const { sub, vid, ver, exp } = payload
        if (typeof sub !== 'string' || typeof vid !== 'string' || typeof ver !== 'number' || !exp) return null
        return { accountId: sub, viewingId: vid, officerVersion: ver, expiresAt: exp * 1_000 }
      } catch {
        return null
      }
    },
  }
}
