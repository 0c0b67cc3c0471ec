import type { Endpoint } from '#contract/endpoint.ts'
import { errors } from '#contract/errors.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { currentToken, endSession, logOut } from './session.ts'

type Options<E extends Endpoint> = Omit<NonNullable<Parameters<typeof call<E>>[1]>, 'bearer'>

/**
 * A call in the member's name: the token is checked first, and a missing or invalid one, a 401 or a 403
 * logs out, each with its sentence.
 * @throws {CallFailure}
 */
export async function callAsMember<E extends Endpoint>(endpoint: E, options: Options<E> = {}) {
  const bearer = currentToken()
  // What somebody sends stays on the screen with its sentence; what is only read would leave the rest of the account there.
  const leave = endpoint.method === 'GET' ? endSession : logOut
  if (bearer === null) {
    leave()
    throw refusal('AUTHENTICATION_REQUIRED')
  }
  try {
    return await call(endpoint, { ...options, bearer })
  } catch (failure) {
    const status = failure instanceof CallFailure ? failure.status : 0
    if (status !== 401 && status !== 403) throw failure
    leave()
    throw refusal(status === 401 ? 'SESSION_EXPIRED' : 'ACCOUNT_INACTIVE')
  }
}

function refusal(code: 'AUTHENTICATION_REQUIRED' | 'SESSION_EXPIRED' | 'ACCOUNT_INACTIVE'): CallFailure {
  return new CallFailure({ status: errors[code].status, code, sentence: errors[code].message })
}
