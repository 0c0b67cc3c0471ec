import { refresh } from '#contract/auth.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'

/**
 * The token that follows this one, or null when the server will not exchange it.
 * Apart from session.ts, which every page loads: this brings the contract along.
 * @throws {CallFailure} when there is no network.
 */
export async function refreshToken(token: string): Promise<string | null> {
  try {
    const { token: fresh } = await call(refresh, { bearer: token })
    return fresh
  } catch (failure) {
    if (failure instanceof CallFailure && failure.kind === 'refused') return null
    throw failure
  }
}
