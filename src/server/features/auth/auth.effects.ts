import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import { hashToken, type Secrets } from '#server/platform/secrets.ts'
import { findKeptAddress } from '../account/account-merge.repository.ts'
import { extendReservation, findAccount, findAccountByEmail } from '../account/account.repository.ts'
import { hasRoomForLetter } from '../account/letter-limit.ts'
import {
  alreadyRegisteredLetter,
  deactivatedLetter,
  mergedLetter,
  passwordChangedLetter,
  resetLetter,
  verificationLetter,
} from './auth.emails.ts'
import { endTokens, markTokenSent, saveOneTimeToken, takeTokenToSend } from './one-time-token.repository.ts'
import {
  extendRegistration,
  findRegistration,
  findWaitingRegistrations,
  type Registration,
} from './registration.repository.ts'

const RESET_LINK_MS = 3_600_000

export interface AuthLetters {
  /** Composes by kind when the outbox sends; null when there is no longer anything to say. Links are derived here, never stored. */
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
  /** Requests whose outcome must not show in the answer's time: decided here, after the answer. */
  effects: Record<string, (payload: Record<string, unknown>) => Promise<void>>
}

export function createAuthLetters({
  db,
  clock,
  secrets,
  siteUrl,
  limiter,
  letterLimit,
  association,
  levelName,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  siteUrl: string
  limiter: RateLimiter
  /** Letters to one address that anybody may ask for, the request that brought the first of them counted already. */
  letterLimit(): Limit
  association(): Promise<Association>
  levelName(key: string): Promise<string>
}): AuthLetters {
  const loginUrl = `${siteUrl}/auth/login`
  const resetUrl = `${siteUrl}/reset-password`

  /** What an existing account's owner hears instead; null when the address has none. */
  async function letterToOwner(email: string): Promise<OutgoingLetter | null> {
    const account = await findAccountByEmail(db, email)
    if (!account) return null
    const keptAddress = account.deactivatedBy && (await findKeptAddress(db, account.id))
    if (keptAddress) {
      const letter = mergedLetter(account.firstName, { keptAddress, loginUrl }, await association())
      return { ...letter, to: account.email }
    }
    const letter = account.deactivatedBy
      ? deactivatedLetter(account.firstName, await association())
      : alreadyRegisteredLetter(account.firstName, { loginUrl, resetUrl }, await association())
    return { ...letter, to: account.email }
  }

  async function verification({ tokenId }: Record<string, unknown>): Promise<OutgoingLetter | null> {
    const token = await takeTokenToSend(db, String(tokenId), clock.now())
    const registration = token && (await findRegistration(db, token.subjectId))
    if (!token || !registration || registration.completedAt !== null) return null
    const toOwner = await letterToOwner(registration.email)
    if (toOwner) return toOwner
    // The registration and its username are kept as long as the link can be used.
    await extendRegistration(db, registration.id, token.expiresAt)
    await extendReservation(db, { ...registration, until: token.expiresAt })
    const query = new URLSearchParams({
      email: registration.email,
      token: secrets.token('verification-link', token.id),
    })
    const letter = verificationLetter(
      { ...registration, levelName: await levelName(registration.levelKey) },
      { url: `${siteUrl}/email-verification?${query}`, code: secrets.sixDigits(token.id) },
      await association(),
    )
    return { ...letter, to: registration.email, onSent: () => markTokenSent(db, token.id, clock.now()) }
  }

  async function passwordReset({ tokenId }: Record<string, unknown>): Promise<OutgoingLetter | null> {
    const token = await takeTokenToSend(db, String(tokenId), clock.now())
    const account = token && (await findAccount(db, token.subjectId))
    if (!token || !account) return null
    const query = new URLSearchParams({ token: secrets.token('password-reset', token.id), userId: account.id })
    const letter = resetLetter(account.firstName, `${resetUrl}?${query}`, await association())
    return { ...letter, to: account.email, onSent: () => markTokenSent(db, token.id, clock.now()) }
  }

  async function passwordChanged({ accountId }: Record<string, unknown>): Promise<OutgoingLetter | null> {
    const account = await findAccount(db, String(accountId))
    if (!account) return null
    return { ...passwordChangedLetter(account.firstName, resetUrl, await association()), to: account.email }
  }

  async function alreadyRegistered({ email }: Record<string, unknown>): Promise<OutgoingLetter | null> {
    return letterToOwner(String(email))
  }

  /** The newest that the hour has letters left for: whoever registers an address over and over must not have all of it mailed to its owner. */
  async function withinLetterLimit(email: string, registrations: readonly Registration[]): Promise<Registration[]> {
    const limit = letterLimit()
    const allowed = registrations.slice(0, 1)
    for (const registration of registrations.slice(1, limit.limit)) {
      if (!(await hasRoomForLetter(limiter, email, limit))) break
      allowed.push(registration)
    }
    return allowed
  }

  async function resendVerification({ email }: Record<string, unknown>): Promise<void> {
    const now = clock.now()
    const waiting = await withinLetterLimit(String(email), await findWaitingRegistrations(db, String(email), now))
    await db.transaction().execute(async (tx) => {
      for (const registration of waiting) {
        const tokenId = newId(now)
        await saveOneTimeToken(tx, {
          id: tokenId,
          purpose: 'verification',
          tokenHash: hashToken(secrets.token('verification-link', tokenId)),
          subjectId: registration.id,
          createdAt: now,
          expiresAt: registration.expiresAt,
        })
        await addToOutbox(tx, { kind: 'letter.verification', payload: { tokenId } }, now)
      }
      if (waiting.length === 0) await addToOutbox(tx, { kind: 'letter.already_registered', payload: { email } }, now)
    })
  }

  async function forgotPassword({ email }: Record<string, unknown>): Promise<void> {
    const account = await findAccountByEmail(db, String(email))
    if (!account) return
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      if (account.deactivatedBy) {
        return addToOutbox(tx, { kind: 'letter.already_registered', payload: { email } }, now)
      }
      const tokenId = newId(now)
      await endTokens(tx, { subjectId: account.id, purpose: 'password_reset', now })
      await saveOneTimeToken(tx, {
        id: tokenId,
        purpose: 'password_reset',
        tokenHash: hashToken(secrets.token('password-reset', tokenId)),
        subjectId: account.id,
        createdAt: now,
        expiresAt: now + RESET_LINK_MS,
      })
      await addToOutbox(tx, { kind: 'letter.password_reset', payload: { tokenId } }, now)
    })
  }

  return {
    letters: {
      'letter.verification': verification,
      'letter.already_registered': alreadyRegistered,
      'letter.password_reset': passwordReset,
      'letter.password_changed': passwordChanged,
    },
    effects: { 'auth.resend_verification': resendVerification, 'auth.forgot_password': forgotPassword },
  }
}
