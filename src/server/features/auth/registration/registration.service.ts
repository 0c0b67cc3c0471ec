import type { BodyOf } from '#contract/endpoint.ts'
import type { register } from '#contract/auth.ts'
import { isEmailShaped } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import type { BotCheck } from '#server/platform/bot-check.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import { hashToken, type Secrets } from '#server/platform/secrets.ts'
import { nameKey, reserveUsername } from '../account/account.repository.ts'
import { hasRoomForLetter } from '../account/letter-limit.ts'
import { saveOneTimeToken } from './one-time-token.repository.ts'
import { passwordFault } from './password.rules.ts'
import { hashPassword } from './passwords.ts'
import { saveRegistration } from './registration.repository.ts'

export const REGISTRATION_MS = 86_400_000

export interface RegistrationService {
  /**
   * Keeps a registration and queues its letter. Does exactly the same for an address that already has an account: only the letter that goes out
   * later differs (docs/product-rules.md#one-account-per-address).
   * @throws Problem INVALID_INPUT, PLAN_NOT_FOUND, BOT_CHECK_…, RATE_LIMITED, USERNAME_TAKEN
   */
  register(body: BodyOf<typeof register>): Promise<{ registrationId: string; score: number }>
  /** Queues the letter again; says nothing about whether anyone waits for it. @throws Problem BOT_CHECK_FAILED */
  resend(email: string | undefined, recaptchaToken: string | undefined): Promise<void>
}

export interface RegistrationLimits {
  /** Registrations for one address, said openly. */
  registerEmail(): Limit
  /** Letters to one address, silently. */
  letters(): Limit
}

export function createRegistrationService({
  db,
  clock,
  secrets,
  botCheck,
  limiter,
  limits,
  isLevelOnSale,
  termsVersion,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  botCheck: BotCheck
  limiter: RateLimiter
  limits: RegistrationLimits
  isLevelOnSale(key: string): Promise<boolean>
  termsVersion(): Promise<string>
  wakeOutbox(): void
}): RegistrationService {
  return {
    async register({ recaptchaToken, password, ...person }) {
      const { email, username, levelKey } = person
      const usernameIsEmail = isEmailShaped(username)
      if (usernameIsEmail && nameKey(username) !== nameKey(email)) {
        throw fieldProblem('username', messages.username.foreignEmail)
      }
      const fault = passwordFault(password, person)
      if (fault) throw fieldProblem('password', fault)
      if (!(await isLevelOnSale(levelKey))) throw new Problem('PLAN_NOT_FOUND')
      const score = await botCheck.require(recaptchaToken, 'registration')
      const verdict = await limiter.hit('register-email', nameKey(email), limits.registerEmail())
      if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })

      const passwordHash = await hashPassword(password)
      const version = await termsVersion()
      const now = clock.now()
      const registrationId = newId(now)
      const tokenId = newId(now)
      await db.transaction().execute(async (tx) => {
        const until = now + REGISTRATION_MS
        // A username that is the person's own address is never tested: the answer would reveal an account (docs/product-rules.md#usernames).
        if (!usernameIsEmail && !(await reserveUsername(tx, { username, email, until, now }))) {
          throw new Problem('USERNAME_TAKEN', { fields: { username: messages.username.taken } })
        }
        await saveRegistration(tx, {
          ...person,
          id: registrationId,
          passwordHash,
          termsVersion: version,
          createdAt: now,
          expiresAt: until,
          verifiedAt: null,
          completedAt: null,
        })
        await saveOneTimeToken(tx, {
          id: tokenId,
          purpose: 'verification',
          tokenHash: hashToken(secrets.token('verification-link', tokenId)),
          subjectId: registrationId,
          createdAt: now,
          expiresAt: until,
        })
        await addToOutbox(tx, { kind: 'letter.verification', payload: { tokenId } }, now)
      })
      wakeOutbox()
      return { registrationId, score: score ?? 0 }
    },

    async resend(email, recaptchaToken) {
      await botCheck.require(recaptchaToken, 'resend_verification')
      if (email === undefined) throw fieldProblem('email', messages.email.required)
      if (await hasRoomForLetter(limiter, email, limits.letters())) {
        // Not woken for it, as with a forgotten password: only some addresses get a letter.
        await addToOutbox(db, { kind: 'auth.resend_verification', payload: { email } }, clock.now())
      }
    },
  }
}
