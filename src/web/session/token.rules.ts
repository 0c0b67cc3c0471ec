import { jwtDecode } from 'jwt-decode'
import { sessionLimits } from '#contract/session-limits.ts'

/** The browser's cosmetic check (docs/product-rules.md#server-checks-of-a-token): decoded without its signature, valid only if `exp` is later than now. */
export function isTokenValid(token: unknown, now: number): boolean {
  const expiry = readExpiry(token)
  return expiry !== null && expiry > now
}

/** Less than 5 minutes remain; a token that cannot be read counts. */
export function isTokenExpiringSoon(token: unknown, now: number): boolean {
  const expiry = readExpiry(token)
  return expiry === null || expiry - now < sessionLimits.refreshThresholdMs
}

/** Epoch milliseconds, or null for a token that cannot be read. */
function readExpiry(token: unknown): number | null {
  try {
    const payload: unknown = decodeToken(token)
    if (typeof payload !== 'object' || payload === null || !('exp' in payload)) return null
    return typeof payload.exp === 'number' && Number.isFinite(payload.exp) ? payload.exp * 1_000 : null
  } catch {
    return null
  }
}

/** @throws {InvalidTokenError} with jwt-decode's own sentences (docs/product-rules.md#token-errors). */
export function decodeToken(token: unknown): unknown {
  return jwtDecode(token as string)
}
