import type { AppContext } from '#server/app-context.ts'
import type * as helpers from '@simplewebauthn/server/helpers'
import type { Assertion, NewCredential } from '#contract/public/passkeys.ts'
import { ALGORITHMS, type RelyingParty } from './passkey.rules.ts'

interface NewPasskey {
  credentialId: string
  publicKey: string
  counter: number
}

/** Verifies responses of devices as WebAuthn specifies (7.1 and 7.2). */
export function createPasskeyVerifier(
  { log }: AppContext,
  {
    party,
  }: {
    party: RelyingParty
  },
) {
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
    /** Returns the new passkey to store; null if the response is invalid. */
    async verifyRegistration(
      { id, clientDataJSON, attestationObject }: NewCredential,
      challenge: string,
    ): Promise<NewPasskey | null> {
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

    /** Returns the device's signature counter; null if the response is invalid. */
    async verifyAssertion(
      { id, clientDataJSON, authenticatorData, signature, userHandle }: Assertion,
      { challenge, publicKey }: { challenge: string; publicKey: string },
    ): Promise<number | null> {
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
