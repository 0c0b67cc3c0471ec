import type { Endpoint } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { currentToken, logOut } from './session.ts'

type Options<E extends Endpoint> = Omit<NonNullable<Parameters<typeof call<E>>[1]>, 'bearer'>

const SESSION_ENDED_CODES = ['AUTHENTICATION_REQUIRED', 'SESSION_EXPIRED', 'ACCOUNT_INACTIVE']

/**
 * Calls a public endpoint whose result differs slightly for members. If the session has ended, logs out: a GET is then
 * retried as a visitor; other calls are not retried, because the price may differ without the membership.
 * @throws {CallFailure}
 */
export async function callAsVisitorOrMember<E extends Endpoint>(endpoint: E, options: Options<E> = {}) {
  const bearer = currentToken()
  if (bearer === null) return call(endpoint, options)
  try {
    return await call(endpoint, { ...options, bearer })
  } catch (failure) {
    const hasEnded = failure instanceof CallFailure && SESSION_ENDED_CODES.includes(failure.code ?? '')
    if (!hasEnded) throw failure
    logOut()
    if (endpoint.method === 'GET') return call(endpoint, options)
    const { status, code } = failure
    throw new CallFailure({ status, ...(code && { code }), sentence: SESSION_ENDED })
  }
}

const SESSION_ENDED = 'Your session has ended. Log in again, or submit this again without logging in.'
