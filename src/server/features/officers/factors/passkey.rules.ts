import { officerLimits } from '#contract/access.ts'
import { TRANSPORTS, type CreationOptions, type RequestOptions, type Transport } from '#contract/public/passkeys.ts'

/**
 * Ed25519, ECDSA on P-256 and RSA with SHA-256 (COSE), which devices support; fixed, so that it does not depend on the
 * instance's Node.
 */
export const ALGORITHMS = [-8, -7, -257]

/** The relying party, as browsers and devices know it. */
export interface RelyingParty {
  /** The site's host name: a passkey is bound to it. */
  id: string
  origin: string
}

export function relyingPartyFor(siteUrl: string): RelyingParty {
  const { hostname, origin } = new URL(siteUrl)
  return { id: hostname, origin }
}

interface KnownPasskey {
  credentialId: string
  transports: readonly Transport[]
}

/**
 * Options to create a passkey: the device must verify its owner (finger, face or PIN) and need not attest its maker.
 */
export function creationOptions({
  challenge,
  party,
  siteName,
  person,
  known,
}: {
  challenge: string
  party: RelyingParty
  /** Shown by the device next to the passkey. */
  siteName: string
  person: { accountId: string; name: string; email: string }
  known: readonly KnownPasskey[]
}): CreationOptions {
  return {
    challenge,
    rp: { id: party.id, name: siteName },
    user: { id: userHandleOf(person.accountId), name: person.email, displayName: person.name },
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

/** The user handle that devices store with a passkey. */
export function userHandleOf(accountId: string): string {
  return Buffer.from(accountId).toString('base64url')
}

/** Keeps the transports that WebAuthn defines, once each; drops unknown ones from newer browsers. */
export function knownTransports(names: readonly string[]): Transport[] {
  return TRANSPORTS.filter((transport) => names.includes(transport))
}

/** Extracts the challenge from a response; null if it is unreadable or came from a cross-origin frame. */
export function extractChallenge(clientDataJSON: string): string | null {
  try {
    const clientData: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    if (typeof clientData !== 'object' || clientData === null) return null
    const { challenge, crossOrigin } = clientData as { challenge?: unknown; crossOrigin?: unknown }
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : null
  } catch {
    return null
  }
}

/**
 * Signature counters only increase, so one that does not may belong to a copy (WebAuthn, 6.1.1). Many devices,
 * especially those that sync passkeys, do not count and always report 0.
 */
export function isCounterValid({ kept, given }: { kept: number; given: number }): boolean {
  return given > kept || (kept === 0 && given === 0)
}
