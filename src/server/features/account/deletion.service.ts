import type { Kysely } from 'kysely'
import { messages } from '#contract/messages.ts'
import type { Schema } from '#server/db/schema.ts'
import { PaymentProviderError, type PaymentGateway } from '#server/payments/payment-gateway.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import type { Log } from '#server/platform/logger.ts'
import { addToOutbox, takeBackEffect } from '#server/platform/outbox.repository.ts'
import { Problem } from '#server/platform/problem.ts'
import { endTokens } from '../auth/one-time-token.repository.ts'
import { forgetBrowsersOf, revokeSessions } from '../auth/session.repository.ts'
import { forgetSecondFactor } from '../console/second-factor.repository.ts'
import { findCurrentMembership } from '../membership/membership.repository.ts'
import { hasLiveSubscription } from '../membership/membership.rules.ts'
import { listMergedInto, settleMerges } from './account-merge.repository.ts'
import { lockAccount } from './account.repository.ts'
import { requireAccount } from './account.service.ts'
import {
  beginDeletion,
  closeAccount,
  endDeletion,
  endSubscribed,
  findDeletion,
  stopRenewing,
  type Deletion,
} from './deletion.repository.ts'
import { forgetEmailChange } from './email-change.repository.ts'
import type { PasswordProof } from './password-proof.ts'

export interface DeletionService {
  /**
   * Ends the renewals at the provider, then deactivates the account; both or neither (decision C5).
   * @throws Problem INVALID_INPUT, RATE_LIMITED; DELETION_UNDER_WAY; DELETION_FAILED when the provider refused or did not answer: the account is kept
   */
  delete(accountId: string, password: string): Promise<void>
  effects: Record<string, (payload: Record<string, unknown>, effect: { attempts: number }) => Promise<void>>
}

/** What the provider was asked to end, and how it did. */
interface Cancelled {
  id: string
  outcome: 'stops' | 'ended'
}

/** Longer than any request lasts: an intent that is older was left by a crash. */
const LEFT_AFTER_MS = 60_000

export function createDeletionService({
  db,
  clock,
  log,
  gateway,
  proof,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  gateway: PaymentGateway
  proof: PasswordProof
  wakeOutbox(): void
}): DeletionService {
  const keyOf = ({ id }: Deletion) => `deletion:${id}`

  async function begin(accountId: string): Promise<Deletion> {
    const now = clock.now()
    return db.transaction().execute(async (tx) => {
      await lockAccount(tx, accountId)
      // Another request may have deleted it while this one looked at the password.
      if ((await requireAccount(tx, accountId)).deactivatedBy !== null) throw new Problem('ACCOUNT_INACTIVE')
      const wish = { id: newId(now), accountId }
      const deletion = await beginDeletion(tx, wish, { now, leftBefore: now - LEFT_AFTER_MS })
      if (!deletion) throw new Problem('DELETION_UNDER_WAY')
      // Should this process die before the end, the worker goes on.
      await addToOutbox(
        tx,
        {
          kind: 'account.finish_deletion',
          payload: { deletionId: deletion.id },
          dedupeKey: keyOf(deletion),
          dueAt: now + LEFT_AFTER_MS,
        },
        now,
      )
      return deletion
    })
  }

  async function liveSubscription(tx: Kysely<Schema>, accountId: string): Promise<string | null> {
    const membership = await findCurrentMembership(tx, accountId)
    return membership && hasLiveSubscription(membership) ? membership.stripeSubscriptionId : null
  }

  async function carryOut(deletion: Deletion, idempotencyKey: string): Promise<void> {
    const id = await liveSubscription(db, deletion.accountId)
    const outcome = id === null ? null : await gateway.cancelAtPeriodEnd(id, idempotencyKey)
    await commit(deletion, id === null || outcome === null ? null : { id, outcome })
  }

  async function erase(tx: Kysely<Schema>, accountId: string, now: number): Promise<void> {
    await closeAccount(tx, accountId, now)
    await revokeSessions(tx, accountId, now)
    await endTokens(tx, { subjectId: accountId, now })
    await forgetBrowsersOf(tx, accountId)
    await forgetSecondFactor(tx, accountId)
    await forgetEmailChange(tx, accountId)
  }

  async function commit(deletion: Deletion, cancelled: Cancelled | null): Promise<void> {
    const { id, accountId } = deletion
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      // The account first, as whoever begins does: in the other order two requests would wait for each other.
      await lockAccount(tx, accountId)
      // Ended by another: the request itself, or the worker.
      if (!(await endDeletion(tx, id))) return
      // Those that officers found to be the same person's go with it.
      const all = [accountId, ...(await listMergedInto(tx, accountId))]
      for (const one of all) await erase(tx, one, now)
      await settleMerges(tx, all)
      await stopRenewing(tx, accountId, now)
      if (cancelled?.outcome === 'ended') await endSubscribed(tx, accountId, { subscriptionId: cancelled.id, now })
      await writeAudit(tx, { actor: accountId, action: 'account.deleted', subjectId: accountId }, now)
      const replaced = await liveSubscription(tx, accountId)
      if (replaced && replaced !== cancelled?.id) {
        await addToOutbox(tx, { kind: 'account.stop_subscription', payload: { subscriptionId: replaced } }, now)
      }
      await addToOutbox(tx, { kind: 'letter.account_deleted', payload: { accountId } }, now)
      await takeBackEffect(tx, keyOf(deletion), now)
    })
    wakeOutbox()
  }

  /** Keeps the account. What the provider did nevertheless, if its answer was lost, is read again, so that the page says what is true. */
  async function giveUp(deletion: Deletion, failure: PaymentProviderError): Promise<void> {
    const { id, accountId } = deletion
    const now = clock.now()
    log.warn({ deletion: id, outcome: failure.outcome, reason: failure.message }, 'account not deleted')
    await db.transaction().execute(async (tx) => {
      if (!(await endDeletion(tx, id))) return
      await takeBackEffect(tx, keyOf(deletion), now)
      await writeAudit(tx, { actor: accountId, action: 'account.deletion_failed', subjectId: accountId }, now)
      const subscriptionId = await liveSubscription(tx, accountId)
      if (subscriptionId) await addToOutbox(tx, { kind: 'payment.sync_subscription', payload: { subscriptionId } }, now)
    })
    wakeOutbox()
  }

  return {
    async delete(accountId, password) {
      const account = await requireAccount(db, accountId)
      await proof.require(account, password, { field: 'password', sentence: messages.password.incorrect })
      const deletion = await begin(accountId)
      try {
        await carryOut(deletion, deletion.id)
      } catch (error) {
        if (!(error instanceof PaymentProviderError)) throw error
        await giveUp(deletion, error)
        throw new Problem('DELETION_FAILED')
      }
    },

    effects: {
      async 'account.finish_deletion'({ deletionId }, { attempts }) {
        const deletion = await findDeletion(db, String(deletionId))
        if (!deletion) return
        try {
          // A key that was answered with a failure is answered with it for ever.
          await carryOut(deletion, attempts === 1 ? deletion.id : `${deletion.id}:${attempts}`)
        } catch (error) {
          if (!(error instanceof PaymentProviderError) || error.outcome !== 'refused') throw error
          await giveUp(deletion, error)
          await addToOutbox(
            db,
            { kind: 'letter.deletion_failed', payload: { accountId: deletion.accountId } },
            clock.now(),
          )
        }
      },

      async 'account.stop_subscription'({ subscriptionId }) {
        await gateway.cancelAtPeriodEnd(String(subscriptionId), `stop:${String(subscriptionId)}`)
      },
    },
  }
}
