import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { officerLimits } from '#contract/access.ts'
import { decryptBytes, encryptBytes } from '#server/lib/encryption.ts'
import type { Secrets } from '#server/lib/secrets.ts'

const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
/** Phone clocks drift: accept one step on either side (RFC 6238, 5.2). */
const WINDOW = 1
// No ambiguous letters and digits: people write these codes down.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const RECOVERY_LENGTH = 10

/** Time-based codes (RFC 6238) and recovery codes. */
export function createAuthenticator(secrets: Secrets) {
  /** @throws if it was encrypted under another SESSION_SECRET */
  function decrypt(encrypted: string): Secret {
    return new Secret({ buffer: new Uint8Array(decryptBytes(secrets.key('second-factor'), encrypted)).buffer })
  }

  const createTotp = (encrypted: string, more: { issuer?: string; label?: string } = {}) =>
    new TOTP({ ...more, secret: decrypt(encrypted), digits: officerLimits.codeDigits, period: PERIOD_SECONDS })

  return {
    /** Returns a new secret, encrypted. */
    newSecret: (): string => encryptBytes(secrets.key('second-factor'), randomBytes(SECRET_BYTES)),

    /** Returns what an authenticator app needs to add the secret. */
    enrollment(
      encrypted: string,
      { email, issuer }: { email: string; issuer: string },
    ): { secret: string; address: string; qrCode: string } {
      const totp = createTotp(encrypted, { issuer, label: email })
      const address = totp.toString()
      return {
        secret: totp.secret.base32.replace(/(.{4})(?=.)/g, '$1 '),
        address,
        qrCode: renderSVG(address, { border: 2 }),
      }
    },

    /** Returns the time step of a code; null if the code is wrong at this time. */
    findTimeStep(encrypted: string, code: string, now: number): number | null {
      const token = code.replaceAll(/\s/g, '')
      if (!/^\d{6}$/.test(token)) return null
      const delta = createTotp(encrypted).validate({ token, timestamp: now, window: WINDOW })
      return delta === null ? null : Math.floor(now / 1_000 / PERIOD_SECONDS) + delta
    },

    newRecoveryCodes: (): string[] =>
      Array.from({ length: officerLimits.recoveryCodes }, () => {
        const characters = Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
        return `${characters.slice(0, 5)}-${characters.slice(5)}`
      }),

    /** Keyed hash, so that the database alone reveals no code. Ignores case and hyphens. */
    hashRecoveryCode: (accountId: string, code: string): string =>
      createHmac('sha256', secrets.key('recovery-code'))
        .update(`${accountId}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
        .digest('hex'),
  }
}
