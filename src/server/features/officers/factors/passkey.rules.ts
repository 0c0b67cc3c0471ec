import { officerLimits } from '#contract/access.ts'
import { TRANSPORTS, type CreationOptions, type RequestOptions, type Transport } from '#contract/passkeys.ts'

/** Ed25519, ECDSA on P-256 and RSA with SHA-256 (COSE), which is what devices have; the same on every instance, whatever its Node can do. */
export const ALGORITHMS = [-8, -7, -257]

/** Who asks, as browsers and devices know it. */
export interface RelyingParty {
  /** The host's name: a passkey belongs to it and is never offered anywhere else. */
  id: string
  origin: string
}

export function relyingPartyOf(siteUrl: string): RelyingParty {
  const { hostname, origin } = new URL(siteUrl)
  return { id: hostname, origin }
}

interface KnownPasskey {
  credentialId: string
  transports: readonly Transport[]
}

/** What a device is told to make a passkey: it must ask its owner for finger, face or PIN, and need not say who made it. */
export function creationOptions({
  challenge,
  party,
  siteName,
  person,
  known,
}: {
  challenge: string
  party: RelyingParty
  /** Shown by the device beside the passkey. */
  siteName: string
  person: { accountId: string; name: string; email: string }
  known: readonly KnownPasskey[]
}): CreationOptions {
  return {
    challenge,
    rp: { id: party.id, name: siteName },
    user: { id: handleOf(person.accountId), name: person.email, displayName: person.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: officerLimits.passkeyAnswerMs,
    excludeCredentials: known.map(describe),
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'required' },
    attestation: 'none',
  }
}

export function requestOptions({
  challenge,
  party,
  known,
}: {
  challenge: string
  party: RelyingParty
  known: readonly KnownPasskey[]
}): RequestOptions {
  return {
    challenge,
    rpId: party.id,
    allowCredentials: known.map(describe),
    timeout: officerLimits.passkeyAnswerMs,
    userVerification: 'required',
  }
}

function describe({ credentialId, transports }: KnownPasskey): CreationOptions['excludeCredentials'][number] {
  return { id: credentialId, type: 'public-key', transports: [...transports] }
}

/** How a device is told whose passkey it is. */
export function handleOf(accountId: string): string {
  return Buffer.from(accountId).toString('base64url')
}

/** Those that WebAuthn knows now, each once; what a newer browser says besides is left out. */
export function knownTransports(words: readonly string[]): Transport[] {
  return TRANSPORTS.filter((transport) => words.includes(transport))
}

/** The question an answer belongs to; null when it cannot be read, or came from a frame of another site. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const told: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    if (typeof told !== 'object' || told === null) return null
    const { challenge, crossOrigin } = told as { challenge?: unknown; crossOrigin?: unknown }
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : null
  } catch {
    return null
  }
}

/**
 * Devices that count their answers count upwards, so one that does not may be a copy (WebAuthn, 6.1.1). Many, above all those that share a passkey over
 * several devices, do not count and always say 0.
 */
export function isInTurn({ kept, given }: { kept: number; given: number }): boolean {
  return given > kept || (kept === 0 && given === 0)
}
