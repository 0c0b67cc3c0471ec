import { jwtVerify, SignJWT, type JWTPayload } from 'jose'

const ALGORITHM = 'HS256'

/** One kind of token: none of one kind passes for another, since key, audience and type are its own. */
export interface SignedTokens {
  /** `claims` beside whose it is and its times, which are epoch milliseconds. */
  write(claims: JWTPayload & { sub: string }, times: { now: number; expiresAt: number }): Promise<string>
  /** null unless signature, algorithm, issuer, audience, type and time all fit and every claim is there (decision A4). */
  read(token: string, now: number): Promise<(JWTPayload & { sub: string; exp: number }) | null>
}

export function createSignedTokens(kind: {
  key: Uint8Array
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
          issuer,
          audience,
          typ: type,
          currentDate: new Date(now),
          requiredClaims: ['sub', 'exp', 'iat', ...wanted],
        })
        const { sub, exp } = payload
        return typeof sub === 'string' && exp ? { ...payload, sub, exp } : null
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
