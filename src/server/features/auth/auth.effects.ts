import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import type { Clock } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import type { Limit, RateLimiter } from '#server/limits/rate-limiter.ts'
import { hashToken, type Secrets } from '#server/lib/secrets.ts'
import { findMergeTargetEmail } from '#server/features/accounts/account-merge.queries.ts'
import { extendReservation } from '#server/features/accounts/account.commands.ts'
import { findAccount, findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import { countRequestedEmail } from '#server/features/accounts/email-limit.service.ts'
import {
  alreadyRegisteredEmail,
  deactivatedEmail,
  mergedEmail,
  passwordChangedEmail,
  resetEmail,
  verificationEmail,
} from './auth.emails.ts'
import { invalidateTokens, markTokenSent, saveOneTimeToken, startTokenLifetime } from './one-time-token.commands.ts'
import { extendRegistration } from './registration/registration.commands.ts'
import { findRegistration, type Registration } from './registration/registration.queries.ts'
import { findPendingRegistrations } from './registration/registration.repository.ts'

const RESET_LINK_MS = 3_600_000

export interface AuthEmails {
  /** Composes emails by kind when the outbox sends them; null skips the email. Links are derived here, never stored. */
  emails: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingEmail | null>>
  /** Requests that are decided after the response, so that response times reveal nothing. */
  effects: Record<string, (payload: Record<string, unknown>) => Promise<void>>
}

export function createAuthEmails({
  db,
  clock,
  secrets,
  siteUrl,
  limiter,
  emailLimit,
  association,
  levelName,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  siteUrl: string
  limiter: RateLimiter
  /** Limits requested emails to one address; the request already counted the first one. */
  emailLimit(): Limit
  association(): Promise<Association>
  levelName(key: string): Promise<string>
}): AuthEmails {
  const loginUrl = `${siteUrl}/auth/login`
  const resetUrl = `${siteUrl}/reset-password`

  /** Composes the email for an address that already has an account; null if it has none. */
  async function composeForOwner(email: string): Promise<OutgoingEmail | null> {
    const account = await findAccountByEmail(db, email)
    if (!account) return null
    const keptAddress = account.deactivatedBy && (await findMergeTargetEmail(db, account.id))
    if (keptAddress) {
      const message = mergedEmail(account.firstName, { keptAddress, loginUrl }, await association())
      return { ...message, to: account.email }
    }
    const message = account.deactivatedBy
      ? deactivatedEmail(account.firstName, await association())
      : alreadyRegisteredEmail(account.firstName, { loginUrl, resetUrl }, await association())
    return { ...message, to: account.email }
  }

  async function verification({ tokenId }: Record<string, unknown>): Promise<OutgoingEmail | null> {
    const token = await startTokenLifetime(db, String(tokenId), clock.now())
    const registration = token && (await findRegistration(db, token.subjectId))
    if (!token || !registration || registration.completedAt !== null) return null
    const ownerEmail = await composeForOwner(registration.email)
    if (ownerEmail) return ownerEmail
    // Keep the registration and its username for as long as the link works.
    await extendRegistration(db, registration.id, token.expiresAt)
    await extendReservation(db, { ...registration, until: token.expiresAt })
    const query = new URLSearchParams({
      email: registration.email,
      token: secrets.token('verification-link', token.id),
    })
    const email = verificationEmail(
      { ...registration, levelName: await levelName(registration.levelKey) },
      { url: `${siteUrl}/email-verification?${query}`, code: secrets.sixDigits(token.id) },
      await association(),
    )
    return { ...email, to: registration.email, onSent: () => markTokenSent(db, token.id, clock.now()) }
  }

  async function passwordReset({ tokenId }: Record<string, unknown>): Promise<OutgoingEmail | null> {
    const token = await startTokenLifetime(db, String(tokenId), clock.now())
    const account = token && (await findAccount(db, token.subjectId))
    if (!token || !account) return null
    const query = new URLSearchParams({ token: secrets.token('password-reset', token.id), userId: account.id })
    const email = resetEmail(account.firstName, `${resetUrl}?${query}`, await association())
    return { ...email, to: account.email, onSent: () => markTokenSent(db, token.id, clock.now()) }
  }

  async function passwordChanged({ accountId }: Record<string, unknown>): Promise<OutgoingEmail | null> {
    const account = await findAccount(db, String(accountId))
    if (!account) return null
    return { ...passwordChangedEmail(account.firstName, resetUrl, await association()), to: account.email }
  }

  async function alreadyRegistered({ email }: Record<string, unknown>): Promise<OutgoingEmail | null> {
    return composeForOwner(String(email))
  }

  /**
   * Returns the newest registrations within the hourly email limit, so that registering an address repeatedly cannot
   * flood its owner.
   */
  async function withinEmailLimit(email: string, registrations: readonly Registration[]): Promise<Registration[]> {
    const limit = emailLimit()
    const allowed = registrations.slice(0, 1)
    for (const registration of registrations.slice(1, limit.limit)) {
      if (!(await countRequestedEmail(limiter, email, limit))) break
      allowed.push(registration)
    }
    return allowed
  }

  async function resendVerification({ email }: Record<string, unknown>): Promise<void> {
    const now = clock.now()
    const pending = await withinEmailLimit(String(email), await findPendingRegistrations(db, String(email), now))
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
        await addToOutbox(tx, { kind: 'email.verification', payload: { tokenId } }, now)
      }
      if (pending.length === 0) await addToOutbox(tx, { kind: 'email.already_registered', payload: { email } }, now)
    })
  }

  async function forgotPassword({ email }: Record<string, unknown>): Promise<void> {
    const account = await findAccountByEmail(db, String(email))
    if (!account) return
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      if (account.deactivatedBy) {
        return addToOutbox(tx, { kind: 'email.already_registered', payload: { email } }, now)
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
      await addToOutbox(tx, { kind: 'email.password_reset', payload: { tokenId } }, now)
    })
  }

  return {
    emails: {
      'email.verification': verification,
      'email.already_registered': alreadyRegistered,
      'email.password_reset': passwordReset,
      'email.password_changed': passwordChanged,
    },
    effects: { 'auth.resend_verification': resendVerification, 'auth.forgot_password': forgotPassword },
  }
}
