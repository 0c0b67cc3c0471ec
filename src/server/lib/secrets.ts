import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** The purpose of a derived secret; a token for one purpose is invalid for every other. */
export type Purpose =
  | 'session-token'
  | 'view-token'
  | 'verification-link'
  | 'verification-code'
  | 'password-reset'
  | 'email-change'
  | 'email-change-stop'
  | `${string}-nonce`
  | 'form-token'
  | 'newsletter-link'
  | 'newsletter-leave'
  | 'newsletter-preview'
  | 'email-topic'
  | 'still-here'
  | 'bounce-webhook'
  | 'cookie'
  | 'address-hash'
  | 'departed-login'
  | 'second-factor'
  | 'recovery-code'
  | 'rsvp-link'
  | 'rsvp-code'
  | 'card-code'
  | 'card-pass'
  | 'provider-setting'
  | 'readers-number'
  | 'directory-mark'

/**
 * Derives every secret except passwords from `SESSION_SECRET` by HKDF (RFC 5869), one key per purpose. Tokens are derived from their row's id, so an email can
 * contain a token while the database holds only its hash.
 */
export interface Secrets {
  key(purpose: Purpose): Uint8Array
  /** Returns 256 bits for an id as 43 URL-safe characters. */
  token(purpose: Purpose, id: string): string
  /** Returns a six-digit code for an id. */
  sixDigits(id: string): string
  sign(purpose: Purpose, text: string): string
}

export function createSecrets(sessionSecret: string): Secrets {
  const keys = new Map<Purpose, Uint8Array>()

  function key(purpose: Purpose): Uint8Array {
    let found = keys.get(purpose)
    if (!found) {
      found = new Uint8Array(hkdfSync('sha256', sessionSecret, '', `association:${purpose}`, 32))
      keys.set(purpose, found)
    }
    return found
  }

  function mac(purpose: Purpose, text: string): Buffer {
    return createHmac('sha256', key(purpose)).update(text).digest()
  }

  return {
    key,
    token: (purpose, id) => mac(purpose, id).toString('base64url'),
    // 48 bits modulo a million: the bias is under one in 10^8.
    sixDigits: (id) => String(mac('verification-code', id).readUIntBE(0, 6) % 1_000_000).padStart(6, '0'),
    sign: (purpose, text) => mac(purpose, text).toString('base64url'),
  }
}

/** SHA-256 in hex, as tokens are stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Compares in constant time; strings of different length are unequal. */
export function equalSecrets(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
