/** What a browser throws when a passkey was not made or not used; `code` is the word of the library in between. */
interface DeviceFailure {
  name?: string
  code?: string
}

const CANCELLED = 'Nothing came from your device: it was cancelled, or took too long. Try again when you are ready.'
const SENTENCES: Record<string, string> = {
  NotAllowedError: CANCELLED,
  AbortError: CANCELLED,
  InvalidStateError: 'This device has a passkey for you already. Use that one, or choose another device.',
  ConstraintError:
    'This device cannot look who you are. Set up a screen lock with face, finger or PIN, then try again.',
  SecurityError: 'Passkeys work only at the site’s own address. Open the console there, or use another way.',
}

/** What to tell somebody whose device did not make or use a passkey. */
export function explainDevice(failure: unknown): string {
  const { name = '', code = '' } = (failure ?? {}) as DeviceFailure
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return SENTENCES['InvalidStateError'] ?? ''
  return SENTENCES[name] ?? 'The passkey did not work on this device. Try again, or use another way.'
}

/** By what is named first: an iPhone says it is like a Mac, and Android says it is Linux. */
const DEVICES: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android phone'],
  [/Macintosh/, 'Mac'],
  [/Windows/, 'Windows computer'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux computer'],
]

/** What a passkey made here might be called. */
export function suggestPasskeyName(userAgent: string): string {
  return DEVICES.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'My device'
}
