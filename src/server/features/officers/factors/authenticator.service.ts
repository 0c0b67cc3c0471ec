import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { officerLimits } from '#contract/access.ts'
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
  function encrypt(secret: Uint8Array): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', secrets.key('second-factor'), iv)
    const body = Buffer.concat([cipher.update(secret), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** @throws if it was encrypted under another SESSION_SECRET */
  function decrypt(encrypted: string): Secret {
    const bytes = Buffer.from(encrypted, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', secrets.key('second-factor'), bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    const secret = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
    return new Secret({ buffer: new Uint8Array(secret).buffer })
  }

  const createTotp = (encrypted: string, more: { issuer?: string; label?: string } = {}) =>
    new TOTP({ ...more, secret: decrypt(encrypted), digits: officerLimits.codeDigits, period: PERIOD_SECONDS })

  return {
    /** Returns a new secret, encrypted. */
    newSecret: (): string => encrypt(randomBytes(SECRET_BYTES)),

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
