import type { Endpoint } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { currentToken, logOut } from './session.ts'

type Options<E extends Endpoint> = Omit<NonNullable<Parameters<typeof call<E>>[1]>, 'bearer'>

const ENDED = ['AUTHENTICATION_REQUIRED', 'SESSION_EXPIRED', 'ACCOUNT_INACTIVE']

/**
 * A call that is answered for everybody, and a little differently for members. A session that has ended meanwhile is left: what is only read is then read
 * as a visitor; what is sent is not sent again by itself, since it may cost something else now.
 * @throws {CallFailure}
 */
export async function callAsAnybody<E extends Endpoint>(endpoint: E, options: Options<E> = {}) {
  const bearer = currentToken()
  if (bearer === null) return call(endpoint, options)
  try {
    return await call(endpoint, { ...options, bearer })
  } catch (failure) {
    const hasEnded = failure instanceof CallFailure && ENDED.includes(failure.code ?? '')
    if (!hasEnded) throw failure
    logOut()
    if (endpoint.method === 'GET') return call(endpoint, options)
    const { status, code } = failure
    throw new CallFailure({ status, ...(code && { code }), sentence: SESSION_ENDED })
  }
}

const SESSION_ENDED = 'Your session has ended. Log in again, or send this once more without being logged in.'
