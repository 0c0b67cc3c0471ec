import { refresh } from '#contract/public/auth.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { localStore } from './browser-storage.ts'
import { TOKEN_KEY } from './session.ts'

let exchanged: string | null = null

/**
 * Replaces the stored token with a new one, once per token (docs/product-rules.md#token-refresh). If the server
 * refuses, the token is used until it expires. Separate from session.ts, which every page loads, because it imports the
 * contract.
 */
export async function refreshToken(token: string): Promise<void> {
  if (exchanged === token) return
  exchanged = token
  try {
    const { token: fresh } = await call(refresh, { bearer: token })
    // The visitor may have logged out meanwhile, or another tab may have refreshed first.
    if (localStore.get(TOKEN_KEY) === token) localStore.set(TOKEN_KEY, fresh)
  } catch (failure) {
    const isRefused = failure instanceof CallFailure && failure.kind === 'refused'
    // Network error: allow a retry at the next check.
    if (!isRefused) exchanged = null
  }
}
