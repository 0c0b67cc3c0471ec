import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { BodyOf } from '#contract/endpoint.ts'
import type { changeEmail } from '#contract/account-email.ts'
import { dayOf } from '#contract/dates.ts'
import { messages } from '#contract/messages.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { PaymentGateway } from '#server/payments/payment-gateway.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import { hashToken, type Secrets } from '#server/platform/secrets.ts'
import {
  endTokens,
  findOneTimeTokenByHash,
  saveOneTimeToken,
  useOneTimeToken,
} from '../auth/one-time-token.repository.ts'
import { hashPassword } from '../auth/passwords.ts'
import { forgetBrowsersOf, revokeSessions } from '../auth/session.repository.ts'
import { listManagers } from '../console/managers.repository.ts'
import { holdsRoleFrom, rolesOn } from '../console/officer.repository.ts'
import { findAccount, lockAccount, nameKey, setPassword } from './account.repository.ts'
import { requireAccount } from './account.service.ts'
import { findEmailChange, forgetEmailChange, saveEmailChange, type EmailChange } from './email-change.repository.ts'
import { emailChangeEndsAt, mayStillMove } from './email-change.rules.ts'
import { hasRoomForLetter } from './letter-limit.ts'
import type { PasswordProof } from './password-proof.ts'
import { changeEmailAddress } from './profile.repository.ts'

export interface EmailChangeService {
  /**
   * Has a letter sent to the address that is asked for. Does exactly the same for one that has an account: only the letter differs (docs/product-rules.md#one-account-per-address).
   * @throws Problem INVALID_INPUT, RATE_LIMITED
   */
  ask(accountId: string, wanted: BodyOf<typeof changeEmail>): Promise<void>
  /** Whether one more email may go to an address that officers ask for. @throws Problem RATE_LIMITED */
  requireRoom(email: string): Promise<void>
  /**
   * The same for officers, in a transaction that holds the account's lock: the present address is told as well, with a way to stop it. Wake the
   * outbox after the commit.
   */
  askAsOfficer(tx: Tx, wanted: OfficersChange): Promise<void>
  /** Takes back what was not confirmed. False when nothing was asked for. */
  withdraw(actor: string, accountId: string): Promise<boolean>
  /**
   * Moves the account, once for a link, and tells the former address. A change that officers asked for ends every session and the password too:
   * whoever had them may be a stranger at the former address.
   * @throws Problem EMAIL_LINK_INVALID
   */
  confirm(token: string): Promise<{ email: string; choosePassword: { token: string; userId: string } | null }>
  /** By the link that went to the present address. @throws Problem EMAIL_STOP_INVALID */
  stop(token: string): Promise<void>
  effects: Record<string, (payload: Record<string, unknown>) => Promise<void>>
}

export interface OfficersChange {
  accountId: string
  email: string
  /** The officer's account, or 'webmaster'. */
  askedBy: string
  approvedBy: string | null
  reason: string
}

/** As long as the link of a password email. */
const CHOOSE_PASSWORD_MS = 3_600_000

export function createEmailChangeService({
  db,
  clock,
  timeZone,
  secrets,
  limiter,
  gateway,
  proof,
  letterLimit,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  secrets: Secrets
  limiter: RateLimiter
  gateway: PaymentGateway
  proof: PasswordProof
  /** Letters of the account to one address, silently, and changes asked for by one account, openly. */
  letterLimit(): Limit
  wakeOutbox(): void
}): EmailChangeService {
  /** One change of an account at a time: a later one takes the place of the earlier, with its links. */
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
      expiresAt: emailChangeEndsAt(change),
    })
    await addToOutbox(tx, { kind: 'letter.email_change', payload: { tokenId } }, askedAt)
  }

  async function endLinks(tx: Tx, accountId: string, now: number): Promise<void> {
    for (const purpose of ['email_change', 'email_change_stop'] as const) {
      await endTokens(tx, { subjectId: accountId, purpose, now })
    }
  }

  async function mayMove(tx: Tx, change: EmailChange): Promise<boolean> {
    if (change.askedBy === null) return true
    const today = dayOf(clock.now(), timeZone)
    return mayStillMove(change, {
      ofAsker: await rolesOn(tx, change.askedBy, today),
      ofApprover: change.approvedBy === null ? [] : await rolesOn(tx, change.approvedBy, today),
      isOfficer: await holdsRoleFrom(tx, change.accountId, today),
    })
  }

  /** Nobody gets in with what they had before; answers the link by which its owner chooses the next password. */
  async function shutOutFormerHolder(tx: Tx, accountId: string, passwordHash: string, now: number) {
    await setPassword(tx, accountId, passwordHash, now)
    await revokeSessions(tx, accountId, now)
    await forgetBrowsersOf(tx, accountId)
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
    async ask(accountId, { email, password }) {
      const account = await requireAccount(db, accountId)
      if (nameKey(email) === nameKey(account.email)) throw fieldProblem('email', messages.email.same)
      await proof.require(account, password, { field: 'password', sentence: messages.password.incorrect })
      const verdict = await limiter.hit('email-change', accountId, letterLimit())
      if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
      if (!(await hasRoomForLetter(limiter, email, letterLimit()))) return

      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        await begin(tx, { accountId, email, askedAt: clock.now(), askedBy: null, approvedBy: null, reason: null })
      })
      wakeOutbox()
    },

    async requireRoom(email) {
      const verdict = await limiter.hit('letters', nameKey(email), letterLimit())
      if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
    },

    async askAsOfficer(tx, { accountId, email, askedBy, approvedBy, reason }) {
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
        expiresAt: emailChangeEndsAt({ askedAt: now, askedBy }),
      })
      await addToOutbox(tx, { kind: 'letter.email_change_announced', payload: { tokenId } }, now)
      const details = { reason, before: account.email, after: email, ...(approvedBy && { approvedBy }) }
      await writeAudit(tx, { actor: askedBy, action: 'email.change_asked', subjectId: accountId, details }, now)
    },

    async withdraw(actor, accountId) {
      const now = clock.now()
      return db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const change = await findEmailChange(tx, accountId)
        if (!change) return false
        await forgetEmailChange(tx, accountId)
        await endLinks(tx, accountId, now)
        const details = { email: change.email }
        await writeAudit(tx, { actor, action: 'email.change_withdrawn', subjectId: accountId, details }, now)
        return true
      })
    },

    async confirm(token) {
      const now = clock.now()
      const found = await findOneTimeTokenByHash(db, { tokenHash: hashToken(token), purpose: 'email_change' })
      if (!found) throw new Problem('EMAIL_LINK_INVALID')
      const accountId = found.subjectId
      const isOfficers = ((await findEmailChange(db, accountId))?.askedBy ?? null) !== null
      // Of a password nobody knows.
      const passwordHash = isOfficers ? await hashPassword(randomBytes(32).toString('base64url')) : ''
      const confirmed = await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const account = await findAccount(tx, accountId)
        const change = await findEmailChange(tx, accountId)
        if (
          !account ||
          account.deactivatedBy !== null ||
          !change ||
          (change.askedBy !== null) !== isOfficers ||
          !(await useOneTimeToken(tx, found.id, now)) ||
          !(await mayMove(tx, change))
        ) {
          throw new Problem('EMAIL_LINK_INVALID')
        }
        const { email, askedBy, approvedBy, reason } = change
        // Taken by somebody else since it was asked for.
        if (!(await changeEmailAddress(tx, account, email, now))) throw new Problem('EMAIL_LINK_INVALID')
        await forgetEmailChange(tx, accountId)
        // Links on their way to the former address must not open the account any more.
        await endTokens(tx, { subjectId: accountId, now })
        const choosePassword = isOfficers ? await shutOutFormerHolder(tx, accountId, passwordHash, now) : null
        const details = isOfficers ? { before: account.email, after: email, askedBy, approvedBy, reason } : {}
        await writeAudit(tx, { actor: accountId, action: 'email.changed', subjectId: accountId, details }, now)
        const moved = { accountId, formerEmail: account.email, ...(isOfficers && { byOfficers: true }) }
        await addToOutbox(tx, { kind: 'letter.email_changed', payload: moved }, now)
        if (account.stripeCustomerId) {
          await addToOutbox(tx, { kind: 'account.tell_provider', payload: { accountId } }, now)
        }
        return { email, choosePassword }
      })
      wakeOutbox()
      return confirmed
    },

    async stop(token) {
      const now = clock.now()
      const found = await findOneTimeTokenByHash(db, { tokenHash: hashToken(token), purpose: 'email_change_stop' })
      if (!found) throw new Problem('EMAIL_STOP_INVALID')
      const accountId = found.subjectId
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const change = await findEmailChange(tx, accountId)
        if (!change?.askedBy || !(await useOneTimeToken(tx, found.id, now))) throw new Problem('EMAIL_STOP_INVALID')
        await forgetEmailChange(tx, accountId)
        await endLinks(tx, accountId, now)
        const { askedBy, reason, email } = change
        const details = { askedBy, reason, email }
        await writeAudit(tx, { actor: accountId, action: 'email.change_stopped', subjectId: accountId, details }, now)
        const managers = await listManagers(tx, dayOf(now, timeZone))
        const told = new Set([askedBy, ...managers.map((manager) => manager.accountId)])
        for (const officerId of told) {
          if (officerId === 'webmaster' || officerId === accountId) continue
          const payload = { accountId, officerId, askedBy }
          await addToOutbox(tx, { kind: 'letter.email_change_stopped', payload }, now)
        }
      })
      wakeOutbox()
    },

    effects: {
      /** The address as it is by then: of two changes the later one counts, whichever effect runs last. */
      async 'account.tell_provider'({ accountId }) {
        const account = await findAccount(db, String(accountId))
        if (account?.stripeCustomerId) await gateway.setCustomerEmail(account.stripeCustomerId, account.email)
      },
    },
  }
}
