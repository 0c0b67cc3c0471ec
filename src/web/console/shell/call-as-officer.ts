import type { Endpoint } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { currentToken, logOut } from '#web/session/session.ts'

export type CallOptions<E extends Endpoint> = Omit<NonNullable<Parameters<typeof call<E>>[1]>, 'bearer'>

/** What the console frame does when a request is not authorized. */
interface AuthorizationHandler {
  /** Reloads the officer after the session or role ended, or when a second factor is required. */
  reloadOfficer(): void
  /** Opens the reauthentication dialog. Resolves to false when the officer cancels it. */
  reauthenticate(): Promise<boolean>
}

let handler: AuthorizationHandler | null = null

/** Registers the console frame as the handler. Returns a function that unregisters it. */
export function registerAuthorizationHandler(next: AuthorizationHandler): () => void {
  handler = next
  return () => {
    if (handler === next) handler = null
  }
}

/** Reloads the officer, for example after a passkey was added. */
export function reloadOfficer(): void {
  handler?.reloadOfficer()
}

/** Error codes after which the current page must not stay visible. */
const UNAUTHORIZED_CODES = [
  'AUTHENTICATION_REQUIRED',
  'SESSION_EXPIRED',
  'ACCOUNT_INACTIVE',
  'NOT_AN_OFFICER',
  'SECOND_FACTOR_REQUIRED',
]

/**
 * Calls an officer endpoint. Opens the reauthentication dialog and retries when the endpoint requires it; form input is kept.
 * @throws {CallFailure} whose sentence can be shown as is
 */
export async function callAsOfficer<E extends Endpoint>(endpoint: E, options: CallOptions<E> = {}) {
  for (;;) {
    const bearer = currentToken()
    try {
      if (bearer === null)
        throw new CallFailure({ status: 401, code: 'AUTHENTICATION_REQUIRED', sentence: 'Please log in.' })
      return await call(endpoint, { ...options, bearer })
    } catch (failure) {
      const code = failure instanceof CallFailure ? failure.code : undefined
      if (code === 'SECOND_FACTOR_AGAIN' && handler && (await handler.reauthenticate())) continue
      if (code === 'SESSION_EXPIRED' || code === 'ACCOUNT_INACTIVE') logOut()
      if (code !== undefined && UNAUTHORIZED_CODES.includes(code)) handler?.reloadOfficer()
      throw failure
    }
  }
}

/** The server's error message, or a network error message when there was no response. */
export function officerErrorMessage(failure: unknown): string {
  if (failure instanceof CallFailure && failure.kind !== 'network' && failure.serverMessage)
    return failure.serverMessage
  return 'We couldn’t reach the site. Check your connection and try again; your input is kept.'
}
