import { refresh } from '#contract/auth.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { localStore } from './browser-storage.ts'
import { TOKEN_KEY } from './session.ts'

let exchanged: string | null = null

/**
 * Puts the token that follows this one in its place, once for each token (docs/product-rules.md#token-refresh). When the server will not, nothing changes: the token ends when it
 * ends. Apart from session.ts, which every page loads: this brings the contract along.
 */
export async function exchange(token: string): Promise<void> {
  if (exchanged === token) return
  exchanged = token
  try {
    const { token: fresh } = await call(refresh, { bearer: token })
    // Meanwhile the visitor may have signed out, or another tab may have been quicker.
    if (localStore.get(TOKEN_KEY) === token) localStore.set(TOKEN_KEY, fresh)
  } catch (failure) {
    const isRefused = failure instanceof CallFailure && failure.kind === 'refused'
    // Nobody heard the question, so it may be asked again at the next check.
    if (!isRefused) exchanged = null
  }
}
