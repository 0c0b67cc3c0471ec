import type { Endpoint } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { currentToken, logOut } from '#web/features/auth/session.ts'

type Options<E extends Endpoint> = Omit<NonNullable<Parameters<typeof call<E>>[1]>, 'bearer'>

/** What the console's frame does when a call finds the door closed. */
interface DoorKeeper {
  /** The session ended, the role is over, or the second factor is wanted: the frame looks anew who is there. */
  lookAgain(): void
  /** Asks above the page whether it is still the officer. False when the officer would rather not say. */
  askAgain(): Promise<boolean>
}

let keeper: DoorKeeper | null = null

/** The frame says once how it is reached; returns what takes that back. */
export function keepDoor(next: DoorKeeper): () => void {
  keeper = next
  return () => {
    if (keeper === next) keeper = null
  }
}

/** Asks the frame to look anew, such as after a passkey was added. */
export function lookAgain(): void {
  keeper?.lookAgain()
}

/** Refusals after which the page that asked is no longer to be seen. */
const CLOSED = [
  'AUTHENTICATION_REQUIRED',
  'SESSION_EXPIRED',
  'ACCOUNT_INACTIVE',
  'NOT_AN_OFFICER',
  'SECOND_FACTOR_REQUIRED',
]

/**
 * A call in an officer's name. What is sensitive asks for a passkey or a code above the page and goes on by itself; nothing typed is lost.
 * @throws {CallFailure} whose sentence may be shown as it is
 */
export async function callAsOfficer<E extends Endpoint>(endpoint: E, options: Options<E> = {}) {
  for (;;) {
    const bearer = currentToken()
    try {
      if (bearer === null)
        throw new CallFailure({ status: 401, code: 'AUTHENTICATION_REQUIRED', sentence: 'Please log in.' })
      return await call(endpoint, { ...options, bearer })
    } catch (failure) {
      const code = failure instanceof CallFailure ? failure.code : undefined
      if (code === 'SECOND_FACTOR_AGAIN' && keeper && (await keeper.askAgain())) continue
      if (code === 'SESSION_EXPIRED' || code === 'ACCOUNT_INACTIVE') logOut()
      if (code !== undefined && CLOSED.includes(code)) keeper?.lookAgain()
      throw failure
    }
  }
}

/** What went wrong, for whoever reads it: the server's sentence, or that nobody answered. */
export function explainToOfficer(failure: unknown): string {
  if (failure instanceof CallFailure && failure.kind !== 'network' && failure.sentence) return failure.sentence
  return 'The site did not answer. Check your connection and try again; nothing you typed is lost.'
}
