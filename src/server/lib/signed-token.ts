import { jwtVerify, SignJWT, type JWTPayload } from 'jose'

const ALGORITHM = 'HS256'

/** Tokens of one kind. Key, audience and type are unique to the kind, so no token is valid as another kind. */
export interface SignedTokens {
  /** `claims` exclude the standard ones; times are in epoch milliseconds. */
  write(claims: JWTPayload & { sub: string }, times: { now: number; expiresAt: number }): Promise<string>
  /**
   * Returns null unless signature, algorithm, issuer, audience, type and times are valid and every claim is present
   * (docs/product-rules.md#server-checks-of-a-token).
   */
  read(token: string, now: number): Promise<(JWTPayload & { sub: string; exp: number }) | null>
}

export function createSignedTokens(kind: {
  key: Uint8Array
  /** Origin of the site; another port of the same host is the same issuer. */
  issuer: string
  audience: string
  type: string
  /** Claims required besides subject, issuer and times. */
  claims: readonly string[]
}): SignedTokens {
  const { key, issuer, audience, type, claims: requiredClaims } = kind
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
          requiredClaims: ['iss', 'sub', 'exp', 'iat', ...requiredClaims],
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
 * Whether two origins differ at most in their port. Without SITE_URL each instance derives its origin from its own PORT, and must accept tokens signed by the
 * others.
 */
function isSameSite(claimed: unknown, own: string): boolean {
  if (typeof claimed !== 'string' || !URL.canParse(claimed)) return false
  const [one, other] = [new URL(claimed), new URL(own)]
  return one.origin === claimed && one.protocol === other.protocol && one.hostname === other.hostname
}

/** Several base64url strings decode to the same signature; accepts only the canonical one, so that an altered token is never valid. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}
