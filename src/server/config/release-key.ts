import { createPublicKey, type KeyObject } from 'node:crypto'

/** The publisher's Ed25519 key, from base64 of its DER form; null if it is something else. */
export function readReleaseKey(key: string): KeyObject | null {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
    return publicKey.asymmetricKeyType === 'ed25519' ? publicKey : null
  } catch {
    return null
  }
}
