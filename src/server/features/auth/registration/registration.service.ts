import type { AppContext } from '#server/app-context.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { register } from '#contract/public/auth.ts'
import { isEmailShaped } from '#contract/fields.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { fieldsAtJoining, fieldsInUse } from '#contract/member-record/record-fields.ts'
import { messages } from '#contract/messages.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { readJoiningValues } from '#server/features/member-record/record-change.rules.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { reserveUsername } from '#server/features/accounts/account.commands.ts'
import { countRequestedEmail } from '#server/features/accounts/email-limit.service.ts'
import { saveOneTimeToken } from '../one-time-token.commands.ts'
import { passwordProblem } from '../password.rules.ts'
import { hashPassword } from '../password-hash.service.ts'
import { saveRegistration } from './registration.repository.ts'
import { resendVerification } from '../auth.effects.ts'
import { sendVerification } from '../auth.emails.ts'

export const REGISTRATION_LIFETIME_MS = 86_400_000

export function createRegistrationService({
  db,
  clock,
  secrets,
  botCheck,
  limiter,
  wakeOutbox,
  settings,
  cache,
  timeZone,
}: AppContext) {
  return {
    /**
     * Stores a registration and queues its email. Behaves the same if the address already has an account; only the email
     * that goes out later differs (docs/product-rules.md#one-account-per-address).
     * @throws Problem INVALID_INPUT, PLAN_NOT_FOUND, BOT_CHECK_…, RATE_LIMITED, USERNAME_TAKEN
     */
    async register({
      recaptchaToken,
      password,
      record = {},
      ...person
    }: BodyOf<typeof register>): Promise<{ registrationId: string; score: number }> {
      const { email, username, levelKey } = person
      const usernameIsEmail = isEmailShaped(username)
      if (usernameIsEmail && nameKey(username) !== nameKey(email)) {
        throw fieldProblem('username', messages.username.foreignEmail)
      }
      const fault = passwordProblem(password, person)
      if (fault) throw fieldProblem('password', fault)
      if (!(await findLevel(db, levelKey))?.isOnSale) throw new Problem('PLAN_NOT_FOUND')
      const asked = fieldsAtJoining(fieldsInUse(cache.content().recordFields), levelKey)
      const joining = readJoiningValues(asked, record)
      if (joining.problems) throw new Problem('INVALID_INPUT', { fields: joining.problems })
      const score = await botCheck.require(recaptchaToken, 'registration')
      const verdict = await limiter.hit('register-email', nameKey(email), settings().rateLimits.registerPerEmail)
      if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })

      const passwordHash = await hashPassword(password)
      const version = cache.content().pages.get('terms-conditions')?.version ?? ''
      const now = clock.now()
      const registrationId = newId(now)
      const tokenId = newId(now)
      await db.transaction().execute(async (tx) => {
        const until = now + REGISTRATION_LIFETIME_MS
        // Do not reserve a username that is the person's own address: a conflict would reveal an account
        // (docs/product-rules.md#usernames).
        if (!usernameIsEmail && !(await reserveUsername(tx, { username, email, until, now }))) {
          throw new Problem('USERNAME_TAKEN', { fields: { username: messages.username.taken } })
        }
        await saveRegistration(tx, {
          ...person,
          id: registrationId,
          passwordHash,
          record: { values: joining.values, confirmedOn: dayOf(now, timeZone) },
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
        await addToOutbox(tx, { effect: sendVerification, payload: { tokenId } }, now)
      })
      wakeOutbox()
      return { registrationId, score: score ?? 0 }
    },

    /** Queues the email again; does not reveal whether a registration is pending. @throws Problem BOT_CHECK_FAILED */
    async resend(email: string | undefined, recaptchaToken: string | undefined): Promise<void> {
      await botCheck.require(recaptchaToken, 'resend_verification')
      if (email === undefined) throw fieldProblem('email', messages.email.required)
      // Exceeding the limit is silent.
      if (await countRequestedEmail(limiter, email, settings().rateLimits.lettersPerEmail)) {
        // The outbox is not woken, as for a forgotten password: only some addresses get an email, and timing would
        // reveal which.
        await addToOutbox(db, { effect: resendVerification, payload: { email } }, clock.now())
      }
    },
  }
}

export type RegistrationService = ReturnType<typeof createRegistrationService>
