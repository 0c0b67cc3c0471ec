import type { AppContext } from '#server/app-context.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import { countRequestedEmail } from '#server/features/accounts/email-limit.service.ts'
import { invalidateTokens, saveOneTimeToken } from './one-time-token.commands.ts'
import { type Registration } from './registration/registration.queries.ts'
import { findPendingRegistrations } from './registration/registration.repository.ts'
import { sendAlreadyRegistered, sendPasswordReset, sendVerification } from './auth.emails.ts'
import type { forgotPassword, resendVerification } from './auth.effects.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'

const RESET_LINK_MS = 3_600_000

/** Decides about requests after the response, so that response times reveal nothing. */
export function createRequestedEmails({
  db,
  clock,
  secrets,
  limiter,
  settings,
}: AppContext): HandlersOf<typeof resendVerification | typeof forgotPassword> {
  /**
   * Returns the newest registrations within the hourly email limit, so that registering an address repeatedly cannot
   * flood its owner.
   */
  async function withinEmailLimit(email: string, registrations: readonly Registration[]): Promise<Registration[]> {
    const limit = settings().rateLimits.lettersPerEmail
    const allowed = registrations.slice(0, 1)
    for (const registration of registrations.slice(1, limit.limit)) {
      if (!(await countRequestedEmail(limiter, email, limit))) break
      allowed.push(registration)
    }
    return allowed
  }

  async function resend({ email }: { email: string }): Promise<void> {
    const now = clock.now()
    const pending = await withinEmailLimit(email, await findPendingRegistrations(db, email, now))
    await db.transaction().execute(async (tx) => {
      for (const registration of pending) {
        const tokenId = newId(now)
        await saveOneTimeToken(tx, {
          id: tokenId,
          purpose: 'verification',
          tokenHash: hashToken(secrets.token('verification-link', tokenId)),
          subjectId: registration.id,
          createdAt: now,
          expiresAt: registration.expiresAt,
        })
        await addToOutbox(tx, { effect: sendVerification, payload: { tokenId } }, now)
      }
      if (pending.length === 0) await addToOutbox(tx, { effect: sendAlreadyRegistered, payload: { email } }, now)
    })
  }

  async function forgot({ email }: { email: string }): Promise<void> {
    const account = await findAccountByEmail(db, email)
    if (!account) return
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      if (account.deactivatedBy) {
        return addToOutbox(tx, { effect: sendAlreadyRegistered, payload: { email } }, now)
      }
      const tokenId = newId(now)
      await invalidateTokens(tx, { subjectId: account.id, purpose: 'password_reset', now })
      await saveOneTimeToken(tx, {
        id: tokenId,
        purpose: 'password_reset',
        tokenHash: hashToken(secrets.token('password-reset', tokenId)),
        subjectId: account.id,
        createdAt: now,
        expiresAt: now + RESET_LINK_MS,
      })
      await addToOutbox(tx, { effect: sendPasswordReset, payload: { tokenId } }, now)
    })
  }

  return { 'auth.resend_verification': resend, 'auth.forgot_password': forgot }
}
