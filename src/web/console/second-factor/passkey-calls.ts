import type { Assertion, CreationOptions, NewCredential, RequestOptions } from '#contract/passkeys.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { explainToOfficer } from './console-door.ts'
import { explainDevice } from './passkey-words.rules.ts'

/** Whether this browser knows passkeys at all; the device may still have none. */
export function canUsePasskeys(): boolean {
  return typeof window !== 'undefined' && typeof window.PublicKeyCredential === 'function'
}

/** Asks the device for a new passkey. @throws what `explainPasskey` puts into words */
export async function makePasskey(optionsJSON: CreationOptions): Promise<NewCredential> {
  const { startRegistration } = await library()
  const { id, response } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, clientDataJSON, attestationObject, transports }
}

/** Asks the device for an answer by one of the passkeys that the site knows. @throws what `explainPasskey` puts into words */
export async function answerByPasskey(optionsJSON: RequestOptions): Promise<Assertion> {
  const { startAuthentication } = await library()
  const { id, response } = await startAuthentication({ optionsJSON })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? null }
}

/** For the site's refusals and the device's alike. */
export function explainPasskey(failure: unknown): string {
  return failure instanceof CallFailure ? explainToOfficer(failure) : explainDevice(failure)
}

/** May be called when a page with a passkey's button opens, so that the device is asked at once. */
export async function preloadPasskeys(): Promise<void> {
  try {
    await library()
  } catch {
    // Asked again, and told, when the button is pressed.
  }
}

async function library() {
  try {
    return await import('@simplewebauthn/browser')
  } catch (cause) {
    throw new CallFailure(undefined, { cause })
  }
}
