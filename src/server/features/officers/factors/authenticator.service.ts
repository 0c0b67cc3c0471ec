import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { officerLimits } from '#contract/access.ts'
import type { Secrets } from '#server/platform/secrets.ts'

const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
/** Clocks of phones differ: one step to either side (RFC 6238, 5.2). */
const WINDOW = 1
// Without letters and digits that look alike: they are written down by hand.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const RECOVERY_LENGTH = 10

/** Codes that change with time (RFC 6238) and the codes for the day the phone is gone. */
export interface Authenticator {
  /** A new secret, as it is kept. */
  newSecret(): string
  /** How an app is told a secret. */
  describe(kept: string, person: { email: string; issuer: string }): { secret: string; address: string; qrCode: string }
  /** The time step a code belongs to; null when it is wrong at this instant. */
  stepOf(kept: string, code: string, now: number): number | null
  newRecoveryCodes(): string[]
  /** How a recovery code is kept: keyed, so that the database alone gives none away. Case and hyphens do not matter. */
  hashRecoveryCode(accountId: string, code: string): string
}

export function createAuthenticator(secrets: Secrets): Authenticator {
  function encrypt(secret: Uint8Array): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', secrets.key('second-factor'), iv)
    const body = Buffer.concat([cipher.update(secret), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** @throws when it was kept under another SESSION_SECRET */
  function decrypt(kept: string): Secret {
    const bytes = Buffer.from(kept, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', secrets.key('second-factor'), bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    const secret = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
    return new Secret({ buffer: new Uint8Array(secret).buffer })
  }

  const codes = (kept: string, more: { issuer?: string; label?: string } = {}) =>
    new TOTP({ ...more, secret: decrypt(kept), digits: officerLimits.codeDigits, period: PERIOD_SECONDS })

  return {
    newSecret: () => encrypt(randomBytes(SECRET_BYTES)),

    describe(kept, { email, issuer }) {
      const totp = codes(kept, { issuer, label: email })
      const address = totp.toString()
      return {
        secret: totp.secret.base32.replace(/(.{4})(?=.)/g, '$1 '),
        address,
        qrCode: renderSVG(address, { border: 2 }),
      }
    },

    stepOf(kept, code, now) {
      const token = code.replaceAll(/\s/g, '')
      if (!/^\d{6}$/.test(token)) return null
      const delta = codes(kept).validate({ token, timestamp: now, window: WINDOW })
      return delta === null ? null : Math.floor(now / 1_000 / PERIOD_SECONDS) + delta
    },

    newRecoveryCodes: () =>
      Array.from({ length: officerLimits.recoveryCodes }, () => {
        const letters = Array.from({ length: RECOVERY_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
        return `${letters.slice(0, 5)}-${letters.slice(5)}`
      }),

    hashRecoveryCode: (accountId, code) =>
      createHmac('sha256', secrets.key('recovery-code'))
        .update(`${accountId}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
        .digest('hex'),
  }
}
