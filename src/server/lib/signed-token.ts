import { jwtVerify, SignJWT, type JWTPayload } from 'jose'

const ALGORITHM = 'HS256'

/** One kind of token: none of one kind passes for another, since key, audience and type are its own. */
export interface SignedTokens {
  /** `claims` beside whose it is and its times, which are epoch milliseconds. */
  write(claims: JWTPayload & { sub: string }, times: { now: number; expiresAt: number }): Promise<string>
  /** null unless signature, algorithm, issuer, audience, type and time all fit and every claim is there (docs/product-rules.md#server-checks-of-a-token). */
  read(token: string, now: number): Promise<(JWTPayload & { sub: string; exp: number }) | null>
}

export function createSignedTokens(kind: {
  key: Uint8Array
  /** Origin of the site; another port of the same host is the same issuer. */
  issuer: string
  audience: string
  type: string
  /** What each must say beside whose it is and its times. */
  claims: readonly string[]
}): SignedTokens {
  const { key, issuer, audience, type, claims: wanted } = kind
  return {
    write: (claims, { now, expiresAt }) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, typ: type })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(Math.floor(now / 1_000))
        .setExpirationTime(Math.floor(expiresAt / 1_000))
        .sign(key),
    async read(token, now) {
      if (!isCanonical(token)) return null
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          audience,
          typ: type,
          currentDate: new Date(now),
          requiredClaims: ['iss', 'sub', 'exp', 'iat', ...wanted],
        })
        const { iss, sub, exp } = payload
        return isSameSite(iss, issuer) && typeof sub === 'string' && exp ? { ...payload, sub, exp } : null
      } catch {
        return null
      }
    },
  }
}

/**
 * Whether two origins differ in their port at most. Without SITE_URL every instance of a site takes its origin from its own PORT, and each must accept what
 * the others signed.
 */
function isSameSite(claimed: unknown, own: string): boolean {
  if (typeof claimed !== 'string' || !URL.canParse(claimed)) return false
  const [one, other] = [new URL(claimed), new URL(own)]
  return one.origin === claimed && one.protocol === other.protocol && one.hostname === other.hostname
}

/** Base64url lets several texts stand for the same signature: only the one we wrote counts, so that no altered token holds. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}
