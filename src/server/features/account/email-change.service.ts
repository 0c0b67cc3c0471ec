import type { Kysely } from 'kysely'
import type { BodyOf } from '#contract/endpoint.ts'
import type { changeEmail } from '#contract/account-email.ts'
import { messages } from '#contract/messages.ts'
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
import { findAccount, lockAccount, nameKey } from './account.repository.ts'
import { requireAccount } from './account.service.ts'
import { findWantedEmail, forgetEmailChange, saveEmailChange } from './email-change.repository.ts'
import { hasRoomForLetter } from './letter-limit.ts'
import type { PasswordProof } from './password-proof.ts'
import { changeEmailAddress } from './profile.repository.ts'

export interface EmailChangeService {
  /**
   * Has a letter sent to the address that is asked for. Does exactly the same for one that has an account: only the letter differs (as B2).
   * @throws Problem INVALID_INPUT, RATE_LIMITED
   */
  ask(accountId: string, wanted: BodyOf<typeof changeEmail>): Promise<void>
  /** Moves the account, once for a link, and tells the former address. @throws Problem EMAIL_LINK_INVALID */
  confirm(token: string): Promise<{ email: string }>
  effects: Record<string, (payload: Record<string, unknown>) => Promise<void>>
}

const LINK_MS = 86_400_000

export function createEmailChangeService({
  db,
  clock,
  secrets,
  limiter,
  gateway,
  proof,
  letterLimit,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  limiter: RateLimiter
  gateway: PaymentGateway
  proof: PasswordProof
  /** Letters of the account to one address, silently, and changes asked for by one account, openly. */
  letterLimit(): Limit
  wakeOutbox(): void
}): EmailChangeService {
  return {
    async ask(accountId, { email, password }) {
      const account = await requireAccount(db, accountId)
      if (nameKey(email) === nameKey(account.email)) throw fieldProblem('email', messages.email.same)
      await proof.require(account, password, { field: 'password', sentence: messages.password.incorrect })
      const verdict = await limiter.hit('email-change', accountId, letterLimit())
      if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
      if (!(await hasRoomForLetter(limiter, email, letterLimit()))) return

      const now = clock.now()
      const tokenId = newId(now)
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        await saveEmailChange(tx, { accountId, email, askedAt: now })
        await endTokens(tx, { subjectId: accountId, purpose: 'email_change', now })
        await saveOneTimeToken(tx, {
          id: tokenId,
          purpose: 'email_change',
          tokenHash: hashToken(secrets.token('email-change', tokenId)),
          subjectId: accountId,
          createdAt: now,
          expiresAt: now + LINK_MS,
        })
        await addToOutbox(tx, { kind: 'letter.email_change', payload: { tokenId } }, now)
      })
      wakeOutbox()
    },

    async confirm(token) {
      const now = clock.now()
      const found = await findOneTimeTokenByHash(db, { tokenHash: hashToken(token), purpose: 'email_change' })
      if (!found) throw new Problem('EMAIL_LINK_INVALID')
      const accountId = found.subjectId
      const email = await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const account = await findAccount(tx, accountId)
        const wanted = await findWantedEmail(tx, accountId)
        if (!account || account.deactivatedBy !== null || !wanted || !(await useOneTimeToken(tx, found.id, now))) {
          throw new Problem('EMAIL_LINK_INVALID')
        }
        // Taken by somebody else since it was asked for.
        if (!(await changeEmailAddress(tx, account, wanted, now))) throw new Problem('EMAIL_LINK_INVALID')
        await forgetEmailChange(tx, accountId)
        // Links on their way to the former address must not open the account any more.
        await endTokens(tx, { subjectId: accountId, now })
        await writeAudit(tx, { actor: accountId, action: 'email.changed', subjectId: accountId }, now)
        const moved = { accountId, formerEmail: account.email }
        await addToOutbox(tx, { kind: 'letter.email_changed', payload: moved }, now)
        if (account.stripeCustomerId) {
          await addToOutbox(tx, { kind: 'account.tell_provider', payload: { accountId } }, now)
        }
        return wanted
      })
      wakeOutbox()
      return { email }
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
