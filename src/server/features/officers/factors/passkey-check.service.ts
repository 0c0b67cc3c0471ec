import type * as helpers from '@simplewebauthn/server/helpers'
import type { Assertion, NewCredential } from '#contract/public/passkeys.ts'
import type { Log } from '#server/lib/logger.ts'
import { ALGORITHMS, type RelyingParty } from './passkey.rules.ts'

/** Verifies responses of devices as WebAuthn specifies (7.1 and 7.2). */
export interface PasskeyVerifier {
  /** Returns the new passkey to store; null if the response is invalid. */
  verifyRegistration(credential: NewCredential, challenge: string): Promise<NewPasskey | null>
  /** Returns the device's signature counter; null if the response is invalid. */
  verifyAssertion(assertion: Assertion, expected: { challenge: string; publicKey: string }): Promise<number | null>
}

interface NewPasskey {
  credentialId: string
  publicKey: string
  counter: number
}

export function createPasskeyVerifier({ party, log }: { party: RelyingParty; log: Log }): PasskeyVerifier {
  /** Malformed responses make the library throw in many ways; all of them mean "invalid". */
  async function nullOnError<T>(verify: () => Promise<T | null>): Promise<T | null> {
    try {
      return await verify()
    } catch (error) {
      // The message may repeat attacker-controlled input.
      log.info({ reason: String(error).slice(0, 200) }, 'passkey not accepted')
      return null
    }
  }

  return {
    async verifyRegistration({ id, clientDataJSON, attestationObject }, challenge) {
      const { verify, tools } = await library()
      return nullOnError(async () => {
        const { registrationInfo } = await verify.verifyRegistrationResponse({
          response: {
            id,
            rawId: id,
            type: 'public-key',
            response: { clientDataJSON, attestationObject: removeAttestation(tools, attestationObject) },
            clientExtensionResults: {},
          },
          expectedChallenge: challenge,
          expectedOrigin: party.origin,
          expectedRPID: party.id,
          requireUserVerification: true,
          supportedAlgorithmIDs: ALGORITHMS,
        })
        // Store only the signed credential id, not the one sent beside it.
        if (!registrationInfo || registrationInfo.credential.id !== id) return null
        const { publicKey, counter } = registrationInfo.credential
        return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
      })
    },

    async verifyAssertion({ id, clientDataJSON, authenticatorData, signature, userHandle }, { challenge, publicKey }) {
      const { verify } = await library()
      return nullOnError(async () => {
        const { verified, authenticationInfo } = await verify.verifyAuthenticationResponse({
          response: {
            id,
            rawId: id,
            type: 'public-key',
            response: { clientDataJSON, authenticatorData, signature, ...(userHandle !== null && { userHandle }) },
            clientExtensionResults: {},
          },
          expectedChallenge: challenge,
          expectedOrigin: party.origin,
          expectedRPID: party.id,
          requireUserVerification: true,
          // The library checks the counter before the signature. We check it later: only a valid signature may report a
          // copied passkey.
          credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
        })
        return verified ? authenticationInfo.newCounter : null
      })
    },
  }
}

/** Loaded with the first passkey: it includes certificate parsers, which an instance without officers never needs. */
async function library() {
  const [verify, tools] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { verify, tools }
}

/**
 * Removes the attestation statement unread. We do not ask who made the device, and checking it would mean fetching
 * revocation lists from addresses that a stranger supplied.
 */
function removeAttestation(
  { decodeAttestationObject, isoBase64URL, isoCBOR }: typeof helpers,
  attestationObject: string,
): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const bare = new Map<string, string | Map<string, string> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare))
}
