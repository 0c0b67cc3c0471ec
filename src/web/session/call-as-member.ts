import type { Endpoint } from '#contract/endpoint.ts'
import { visitorErrors } from '#contract/visitor-errors.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { currentToken, endSession, logOut } from './session.ts'

type Options<E extends Endpoint> = Omit<NonNullable<Parameters<typeof call<E>>[1]>, 'bearer'>

/**
 * Calls an endpoint with the member's token. A missing or invalid token, a 401 or a 403 logs out, each with its own
 * message.
 * @throws {CallFailure}
 */
export async function callAsMember<E extends Endpoint>(endpoint: E, options: Options<E> = {}) {
  const bearer = currentToken()
  // A failed submission keeps its form and message on the screen. A failed GET would leave the rest of the account
  // there, so it clears the page.
  const endLocalSession = endpoint.method === 'GET' ? endSession : logOut
  if (bearer === null) {
    endLocalSession()
    throw createFailure('AUTHENTICATION_REQUIRED')
  }
  try {
    return await call(endpoint, { ...options, bearer })
  } catch (failure) {
    const status = failure instanceof CallFailure ? failure.status : 0
    // The account stays usable without an active membership.
    const isLackingRights = failure instanceof CallFailure && failure.code === 'ACTIVE_MEMBERSHIP_REQUIRED'
    if ((status !== 401 && status !== 403) || isLackingRights) throw failure
    endLocalSession()
    throw createFailure(status === 401 ? 'SESSION_EXPIRED' : 'ACCOUNT_INACTIVE')
  }
}

function createFailure(code: 'AUTHENTICATION_REQUIRED' | 'SESSION_EXPIRED' | 'ACCOUNT_INACTIVE'): CallFailure {
  return new CallFailure({ status: visitorErrors[code].status, code, sentence: visitorErrors[code].message })
}
