import { jwtDecode } from 'jwt-decode'
import { sessionLimits } from '#contract/session-limits.ts'

/**
 * The browser's cosmetic check (docs/product-rules.md#server-checks-of-a-token): the signature is not verified; the
 * token is valid if `exp` is in the future.
 */
export function isTokenValid(token: unknown, now: number): boolean {
  const expiry = readExpiry(token)
  return expiry !== null && expiry > now
}

/** True with less than 5 minutes left, or if the token cannot be read. */
export function isTokenExpiringSoon(token: unknown, now: number): boolean {
  const expiry = readExpiry(token)
  return expiry === null || expiry - now < sessionLimits.refreshThresholdMs
}

/** The id of the account, or null if the token cannot be read. */
export function tokenOwner(token: unknown): string | null {
  try {
    const { sub } = decodeToken(token) as { sub?: unknown }
    return typeof sub === 'string' ? sub : null
  } catch {
    return null
  }
}

/** Epoch milliseconds, or null if the token cannot be read. */
function readExpiry(token: unknown): number | null {
  try {
    const payload: unknown = decodeToken(token)
    if (typeof payload !== 'object' || payload === null || !('exp' in payload)) return null
    return typeof payload.exp === 'number' && Number.isFinite(payload.exp) ? payload.exp * 1_000 : null
  } catch {
    return null
  }
}

/** @throws {InvalidTokenError} with jwt-decode's messages (docs/product-rules.md#token-errors) */
export function decodeToken(token: unknown): unknown {
  return jwtDecode(token as string)
}
