import type { AppContext } from '#server/app-context.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { verifyEmail } from '#contract/public/auth.ts'
import { messages } from '#contract/messages.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import type { Verdict } from '#server/limits/rate-limiter.ts'
import { equalSecrets, hashToken } from '#server/lib/secrets.ts'
import { findAccountByEmail, toUser } from '#server/features/accounts/account.queries.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { findLiveTokens, findOneTimeTokenByHash } from '../one-time-token.queries.ts'
import { verifyPassword } from '../password-hash.service.ts'
import {
  deleteOtherRegistrations,
  findRegistrationsByEmail,
  lockRegistrations,
  markVerified,
} from './registration.repository.ts'
import { findRegistration, type Registration } from './registration.queries.ts'
import { REGISTRATION_LIFETIME_MS } from './registration.service.ts'

export function createVerificationService({ db, clock, secrets, limiter, settings }: AppContext) {
  async function findByToken(token: string): Promise<Registration> {
    const found = await findOneTimeTokenByHash(db, { tokenHash: hashToken(token), purpose: 'verification' })
    if (!found) throw new Problem('LINK_EXPIRED')
    const registration = await findRegistration(db, found.subjectId)
    // Deleted because another registration of the same address was verified first.
    if (!registration) throw new Problem('LINK_EXPIRED')
    if (registration.completedAt === null && registration.expiresAt <= clock.now()) {
      throw new Problem('REGISTRATION_EXPIRED')
    }
    return registration
  }

  async function findByCode(email: string, code: string): Promise<Registration> {
    const verdict = await limiter.hit(
      'verification-code',
      nameKey(email),
      settings().rateLimits.verificationCodePerEmail,
    )
    if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
    const now = clock.now()
    const digits = code.replace(/\D/g, '')
    // Include completed registrations: a code used on another device gets "already verified", not "wrong code"
    // (docs/product-rules.md#links-change-nothing).
    const registrations = await findRegistrationsByEmail(db, email, now)
    const tokens = await findLiveTokens(
      db,
      registrations.map(({ id }) => id),
      now,
    )
    const match = tokens.find(({ id }) => equalSecrets(secrets.sixDigits(id), digits))
    const registration = registrations.find(({ id }) => id === match?.subjectId)
    if (!registration) throw fieldProblem('code', messages.code.wrong)
    return registration
  }

  async function checkPassword({ id, passwordHash }: Registration, password: string): Promise<void> {
    const requireBelowLimit = (verdict: Verdict) => {
      if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
    }
    requireBelowLimit(await limiter.peek('registration-password', id, settings().rateLimits.loginWrongPassword))
    // As in log-in: concurrent guesses beyond the limit reveal nothing.
    if (await verifyPassword(passwordHash, password)) {
      return requireBelowLimit(
        await limiter.peek('registration-password', id, settings().rateLimits.loginWrongPassword),
      )
    }
    requireBelowLimit(await limiter.hit('registration-password', id, settings().rateLimits.loginWrongPassword))
    throw fieldProblem('password', messages.password.incorrect)
  }

  return {
    /**
     * Verifies an address; idempotent (docs/product-rules.md#links-change-nothing). `granted` is the registration this
     * browser may pay for without logging in; null for a mail scanner or another device
     * (docs/product-rules.md#proof-before-a-session).
     * @throws Problem LINK_EXPIRED, REGISTRATION_EXPIRED, RATE_LIMITED, INVALID_INPUT (code or password wrong)
     */
    async verify(
      body: BodyOf<typeof verifyEmail>,
      ownRegistrationId: string | null,
    ): Promise<{ reply: ReplyOf<typeof verifyEmail>; granted: string | null }> {
      const byCode = 'code' in body
      const registration = byCode ? await findByCode(body.email, body.code) : await findByToken(body.token)
      const user = toUser(registration)
      const account = await findAccountByEmail(db, registration.email)
      if (registration.completedAt !== null || account?.deactivatedBy === null) {
        return { reply: { alreadyVerified: true, user, next: 'login', granted: false }, granted: null }
      }
      const alreadyVerified = registration.verifiedAt !== null
      if (!alreadyVerified) {
        const now = clock.now()
        await db.transaction().execute(async (tx) => {
          await lockRegistrations(tx, registration.email)
          // A concurrent request for another link of this address may have deleted this registration.
          if (!(await findRegistration(tx, registration.id))) throw new Problem('LINK_EXPIRED')
          await markVerified(tx, registration.id, { now, expiresAt: now + REGISTRATION_LIFETIME_MS })
          await deleteOtherRegistrations(tx, registration)
        })
      }
      if (body.password !== undefined) await checkPassword(registration, body.password)
      const granted = byCode || body.password !== undefined || ownRegistrationId === registration.id
      return {
        reply: { alreadyVerified, user, next: 'checkout', nextLevelKey: registration.levelKey, granted },
        granted: granted ? registration.id : null,
      }
    },
  }
}

export type VerificationService = ReturnType<typeof createVerificationService>
