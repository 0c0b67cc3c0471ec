/** What a browser throws when a passkey operation fails; `code` is added by @simplewebauthn/browser. */
interface DeviceFailure {
  name?: string
  code?: string
}

const CANCELED = 'The request was canceled or timed out. Try again when you’re ready.'
const SENTENCES: Record<string, string> = {
  NotAllowedError: CANCELED,
  AbortError: CANCELED,
  InvalidStateError: 'This device already has a passkey for you. Use it, or choose another device.',
  ConstraintError: 'This device has no screen lock. Set one up with face, fingerprint or PIN, then try again.',
  SecurityError: 'Passkeys only work at the site’s own address. Open the console there, or use another second factor.',
}

/** An error message for a failed passkey operation. */
export function deviceErrorMessage(failure: unknown): string {
  const { name = '', code = '' } = (failure ?? {}) as DeviceFailure
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return SENTENCES['InvalidStateError'] ?? ''
  return SENTENCES[name] ?? 'The passkey didn’t work on this device. Try again, or use another second factor.'
}

/** In order of precedence: an iPhone also names Mac, and Android also names Linux. */
const DEVICES: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android phone'],
  [/Macintosh/, 'Mac'],
  [/Windows/, 'Windows computer'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux computer'],
]

/** A default name for a passkey created on this device. */
export function suggestPasskeyName(userAgent: string): string {
  return DEVICES.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'My device'
}
