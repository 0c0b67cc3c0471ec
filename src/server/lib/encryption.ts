import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts with AES-256-GCM (NIST SP 800-38D): IV, tag and text in base64url. */
export function encryptBytes(key: Uint8Array, bytes: Uint8Array): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/** @throws if it was altered or encrypted with another key */
export function decryptBytes(key: Uint8Array, encrypted: string): Buffer {
  const bytes = Buffer.from(encrypted, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
}

export const encryptText = (key: Uint8Array, text: string): string => encryptBytes(key, Buffer.from(text))

/** null if it was altered or encrypted with another key. */
export function decryptText(key: Uint8Array, encrypted: string): string | null {
  try {
    return decryptBytes(key, encrypted).toString()
  } catch {
    return null
  }
}
