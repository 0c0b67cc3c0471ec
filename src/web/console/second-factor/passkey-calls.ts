import type { Assertion, CreationOptions, NewCredential, RequestOptions } from '#contract/public/passkeys.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { officerErrorMessage } from '../shell/call-as-officer.ts'
import { deviceErrorMessage } from './passkey-errors.rules.ts'

/** Whether the browser supports passkeys; the device may still have none. */
export function supportsPasskeys(): boolean {
  return typeof window !== 'undefined' && typeof window.PublicKeyCredential === 'function'
}

/** Creates a passkey on the device. @throws an error for `passkeyErrorMessage` */
export async function createPasskey(optionsJSON: CreationOptions): Promise<NewCredential> {
  const { startRegistration } = await loadLibrary()
  const { id, response } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, clientDataJSON, attestationObject, transports }
}

/** Requests an assertion from one of the registered passkeys. @throws an error for `passkeyErrorMessage` */
export async function requestAssertion(optionsJSON: RequestOptions): Promise<Assertion> {
  const { startAuthentication } = await loadLibrary()
  const { id, response } = await startAuthentication({ optionsJSON })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? null }
}

/** An error message for a failure of the server or of the device. */
export function passkeyErrorMessage(failure: unknown): string {
  return failure instanceof CallFailure ? officerErrorMessage(failure) : deviceErrorMessage(failure)
}

/** Loads the loadLibrary ahead of the click, which must open the passkey prompt immediately. */
export async function preloadPasskeys(): Promise<void> {
  try {
    await loadLibrary()
  } catch {
    // Retried and reported when the button is pressed.
  }
}

async function loadLibrary() {
  try {
    return await import('@simplewebauthn/browser')
  } catch (cause) {
    throw new CallFailure(undefined, { cause })
  }
}
