import type * as helpers from '@simplewebauthn/server/helpers'
import type { Assertion, NewCredential } from '#contract/passkeys.ts'
import type { Log } from '#server/platform/logger.ts'
import { ALGORITHMS, type RelyingParty } from './passkey.rules.ts'

/** What devices answer, looked at as WebAuthn tells (7.1 and 7.2). */
export interface PasskeyCheck {
  /** What is kept of a new passkey; null when the answer is not right. */
  readNew(credential: NewCredential, challenge: string): Promise<NewPasskey | null>
  /** What the device has counted; null when the answer is not right, for whatever reason. */
  readAnswer(assertion: Assertion, expected: { challenge: string; publicKey: string }): Promise<number | null>
}

interface NewPasskey {
  credentialId: string
  publicKey: string
  counter: number
}

export function createPasskeyCheck({ party, log }: { party: RelyingParty; log: Log }): PasskeyCheck {
  /** What a hostile answer may throw is as manifold as the answers; each means the same. */
  async function orNull<T>(look: () => Promise<T | null>): Promise<T | null> {
    try {
      return await look()
    } catch (error) {
      // It may repeat what was sent.
      log.info({ reason: String(error).slice(0, 200) }, 'passkey not accepted')
      return null
    }
  }

  return {
    async readNew({ id, clientDataJSON, attestationObject }, challenge) {
      const { verify, tools } = await library()
      return orNull(async () => {
        const { registrationInfo } = await verify.verifyRegistrationResponse({
          response: {
            id,
            rawId: id,
            type: 'public-key',
            response: { clientDataJSON, attestationObject: withoutStatement(tools, attestationObject) },
            clientExtensionResults: {},
          },
          expectedChallenge: challenge,
          expectedOrigin: party.origin,
          expectedRPID: party.id,
          requireUserVerification: true,
          supportedAlgorithmIDs: ALGORITHMS,
        })
        // What is kept is what was signed for, not what stands beside it.
        if (!registrationInfo || registrationInfo.credential.id !== id) return null
        const { publicKey, counter } = registrationInfo.credential
        return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
      })
    },

    async readAnswer({ id, clientDataJSON, authenticatorData, signature, userHandle }, { challenge, publicKey }) {
      const { verify } = await library()
      return orNull(async () => {
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
          // The library looks at the counter before the signature; here only a right signature may say that a passkey was copied.
          credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
        })
        return verified ? authenticationInfo.newCounter : null
      })
    },
  }
}

/** Fetched with the first passkey: it brings the formats of certificates along, which an instance that sees no officer never needs. */
async function library() {
  const [verify, tools] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { verify, tools }
}

/**
 * Nobody asked who made the device, so what it says of that is taken out unread: to look at it would mean to fetch lists of revoked certificates from
 * addresses that a stranger named.
 */
function withoutStatement(
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
