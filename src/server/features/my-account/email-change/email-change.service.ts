import type { AppContext } from '#server/app-context.ts'
import { randomBytes } from 'node:crypto'
import type { BodyOf } from '#contract/endpoint.ts'
import type { changeEmail } from '#contract/public/account-email.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { messages } from '#contract/messages.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { invalidateTokens, saveOneTimeToken, useOneTimeToken } from '#server/features/auth/one-time-token.commands.ts'
import { findOneTimeTokenByHash } from '#server/features/auth/one-time-token.queries.ts'
import { hashPassword } from '#server/features/auth/password-hash.service.ts'
import { deleteKnownBrowsers, revokeSessions } from '#server/features/auth/sessions/session.commands.ts'
import { listManagers } from '#server/features/officers/managers.queries.ts'
import { holdsRoleFrom, rolesOn } from '#server/features/officers/officer.queries.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { lockAccount, setPassword } from '#server/features/accounts/account.commands.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { requireAccount } from '../account.service.ts'
import { findEmailChange, type EmailChange } from './email-change.queries.ts'
import { deleteEmailChange, saveEmailChange } from './email-change.commands.ts'
import { emailChangeExpiresAt, isEmailChangeAuthorized } from './email-change.rules.ts'
import { countRequestedEmail } from '#server/features/accounts/email-limit.service.ts'
import type { PasswordCheck } from '#server/features/auth/password-proof.service.ts'
import { changeEmailAddress } from '#server/features/accounts/profile.commands.ts'
import {
  sendEmailChange,
  sendEmailChangeAnnouncement,
  sendEmailChangeStopped,
  sendEmailChanged,
} from './email-change.emails.ts'
import { updateProvider } from '../account.effects.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'

export interface OfficerEmailChange {
  accountId: string
  email: string
  /** Account id of the officer, or 'webmaster'. */
  askedBy: string
  approvedBy: string | null
  reason: string
}

/** Same lifetime as a password reset link. */
const CHOOSE_PASSWORD_MS = 3_600_000

export function createEmailChangeService(
  { db, clock, timeZone, secrets, limiter, gateway, wakeOutbox, settings }: AppContext,
  {
    proof,
  }: {
    proof: PasswordCheck
  },
) {
  /** An account has at most one pending change: a new one replaces it and invalidates its links. */
  async function begin(tx: Tx, change: EmailChange): Promise<void> {
    const { accountId, askedAt } = change
    await saveEmailChange(tx, change)
    await endLinks(tx, accountId, askedAt)
    const tokenId = newId(askedAt)
    await saveOneTimeToken(tx, {
      id: tokenId,
      purpose: 'email_change',
      tokenHash: hashToken(secrets.token('email-change', tokenId)),
      subjectId: accountId,
      createdAt: askedAt,
      expiresAt: emailChangeExpiresAt(change),
    })
    await addToOutbox(tx, { effect: sendEmailChange, payload: { tokenId } }, askedAt)
  }

  async function endLinks(tx: Tx, accountId: string, now: number): Promise<void> {
    for (const purpose of ['email_change', 'email_change_stop'] as const) {
      await invalidateTokens(tx, { subjectId: accountId, purpose, now })
    }
  }

  async function isStillAuthorized(tx: Tx, change: EmailChange): Promise<boolean> {
    if (change.askedBy === null) return true
    const today = dayOf(clock.now(), timeZone)
    return isEmailChangeAuthorized(change, {
      ofAsker: await rolesOn(tx, change.askedBy, today),
      ofApprover: change.approvedBy === null ? [] : await rolesOn(tx, change.approvedBy, today),
      isOfficer: await holdsRoleFrom(tx, change.accountId, today),
    })
  }

  /** Invalidates every existing way to log in; returns a token with which the owner sets a new password. */
  async function resetAccess(tx: Tx, accountId: string, passwordHash: string, now: number) {
    await setPassword(tx, accountId, passwordHash, now)
    await revokeSessions(tx, accountId, now)
    await deleteKnownBrowsers(tx, accountId)
    const tokenId = newId(now)
    const token = secrets.token('password-reset', tokenId)
    await saveOneTimeToken(tx, {
      id: tokenId,
      purpose: 'password_reset',
      tokenHash: hashToken(token),
      subjectId: accountId,
      createdAt: now,
      expiresAt: now + CHOOSE_PASSWORD_MS,
    })
    return { token, userId: accountId }
  }

  return {
    /**
     * Sends an email to the requested address. Behaves the same if the address has an account; only the email differs
     * (docs/product-rules.md#one-account-per-address).
     * @throws Problem INVALID_INPUT, RATE_LIMITED
     */
    async request(accountId: string, { email, password }: BodyOf<typeof changeEmail>): Promise<void> {
      const account = await requireAccount(db, accountId)
      if (nameKey(email) === nameKey(account.email)) throw fieldProblem('email', messages.email.same)
      await proof.require(account, password, { field: 'password', sentence: messages.password.incorrect })
      const verdict = await limiter.hit('email-change', accountId, settings().rateLimits.lettersPerEmail)
      if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
      if (!(await countRequestedEmail(limiter, email, settings().rateLimits.lettersPerEmail))) return

      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        await begin(tx, { accountId, email, askedAt: clock.now(), askedBy: null, approvedBy: null, reason: null })
      })
      wakeOutbox()
    },

    /** Counts one more email to an address that officers requested. @throws Problem RATE_LIMITED */
    async countEmail(email: string): Promise<void> {
      const verdict = await limiter.hit('emails', nameKey(email), settings().rateLimits.lettersPerEmail)
      if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
    },

    /**
     * The same for officers, in a transaction that holds the account's lock. Also notifies the current address, with a
     * link to stop the change. Wake the outbox after the commit.
     */
    async requestAsOfficer(
      tx: Tx,
      { accountId, email, askedBy, approvedBy, reason }: OfficerEmailChange,
    ): Promise<void> {
      const now = clock.now()
      const account = await requireAccount(tx, accountId)
      await begin(tx, { accountId, email, askedAt: now, askedBy, approvedBy, reason })
      const tokenId = newId(now)
      await saveOneTimeToken(tx, {
        id: tokenId,
        purpose: 'email_change_stop',
        tokenHash: hashToken(secrets.token('email-change-stop', tokenId)),
        subjectId: accountId,
        createdAt: now,
        expiresAt: emailChangeExpiresAt({ askedAt: now, askedBy }),
      })
      await addToOutbox(tx, { effect: sendEmailChangeAnnouncement, payload: { tokenId } }, now)
      const details = { reason, before: account.email, after: email, ...(approvedBy && { approvedBy }) }
      await writeAudit(tx, { actor: askedBy, action: 'email.change_asked', subjectId: accountId, details }, now)
    },

    /** Withdraws an unconfirmed change. Returns false if there was none. */
    async withdraw(actor: string, accountId: string): Promise<boolean> {
      const now = clock.now()
      return db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const change = await findEmailChange(tx, accountId)
        if (!change) return false
        await deleteEmailChange(tx, accountId)
        await endLinks(tx, accountId, now)
        const details = { email: change.email }
        await writeAudit(tx, { actor, action: 'email.change_withdrawn', subjectId: accountId, details }, now)
        return true
      })
    },

    /**
     * Moves the account, once per link, and notifies the former address. A change that officers requested also ends every
     * session and the password: a stranger at the former address may have them.
     * @throws Problem EMAIL_LINK_INVALID
     */
    async confirm(token: string): Promise<{ email: string; choosePassword: { token: string; userId: string } | null }> {
      const now = clock.now()
      const found = await findOneTimeTokenByHash(db, { tokenHash: hashToken(token), purpose: 'email_change' })
      if (!found) throw new Problem('EMAIL_LINK_INVALID')
      const accountId = found.subjectId
      const byOfficers = ((await findEmailChange(db, accountId))?.askedBy ?? null) !== null
      // The hash of a random password that is never revealed.
      const passwordHash = byOfficers ? await hashPassword(randomBytes(32).toString('base64url')) : ''
      const confirmed = await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const account = await findAccount(tx, accountId)
        const change = await findEmailChange(tx, accountId)
        if (
          !account ||
          account.deactivatedBy !== null ||
          !change ||
          (change.askedBy !== null) !== byOfficers ||
          !(await useOneTimeToken(tx, found.id, now)) ||
          !(await isStillAuthorized(tx, change))
        ) {
          throw new Problem('EMAIL_LINK_INVALID')
        }
        const { email, askedBy, approvedBy, reason } = change
        // The address was taken since the request.
        if (!(await changeEmailAddress(tx, account, email, now))) throw new Problem('EMAIL_LINK_INVALID')
        await deleteEmailChange(tx, accountId)
        // Invalidate links already sent to the former address.
        await invalidateTokens(tx, { subjectId: accountId, now })
        const choosePassword = byOfficers ? await resetAccess(tx, accountId, passwordHash, now) : null
        const details = byOfficers ? { before: account.email, after: email, askedBy, approvedBy, reason } : {}
        await writeAudit(tx, { actor: accountId, action: 'email.changed', subjectId: accountId, details }, now)
        const payload = { accountId, formerEmail: account.email, ...(byOfficers && { byOfficers: true }) }
        await addToOutbox(tx, { effect: sendEmailChanged, payload }, now)
        if (account.stripeCustomerId) {
          await addToOutbox(tx, { effect: updateProvider, payload: { accountId } }, now)
        }
        return { email, choosePassword }
      })
      wakeOutbox()
      return confirmed
    },

    /** Stops a change through the link sent to the current address. @throws Problem EMAIL_STOP_INVALID */
    async stop(token: string): Promise<void> {
      const now = clock.now()
      const found = await findOneTimeTokenByHash(db, { tokenHash: hashToken(token), purpose: 'email_change_stop' })
      if (!found) throw new Problem('EMAIL_STOP_INVALID')
      const accountId = found.subjectId
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const change = await findEmailChange(tx, accountId)
        if (!change?.askedBy || !(await useOneTimeToken(tx, found.id, now))) throw new Problem('EMAIL_STOP_INVALID')
        await deleteEmailChange(tx, accountId)
        await endLinks(tx, accountId, now)
        const { askedBy, reason, email } = change
        const details = { askedBy, reason, email }
        await writeAudit(tx, { actor: accountId, action: 'email.change_stopped', subjectId: accountId, details }, now)
        const managers = await listManagers(tx, dayOf(now, timeZone))
        const recipients = new Set([askedBy, ...managers.map((manager) => manager.accountId)])
        for (const officerId of recipients) {
          if (officerId === 'webmaster' || officerId === accountId) continue
          const payload = { accountId, officerId, askedBy }
          await addToOutbox(tx, { effect: sendEmailChangeStopped, payload }, now)
        }
      })
      wakeOutbox()
    },

    effects: {
      /** Reads the current address when the effect runs, so two changes converge whichever effect runs last. */
      async 'account.update_provider'({ accountId }) {
        const account = await findAccount(db, accountId)
        if (account?.stripeCustomerId) await gateway.setCustomerEmail(account.stripeCustomerId, account.email)
      },
    } satisfies HandlersOf<typeof updateProvider>,
  }
}

export type EmailChangeService = ReturnType<typeof createEmailChangeService>
