import { deleteCard } from '#server/features/card/member-card.commands.ts'
import { deleteFromDirectory } from '#server/features/member-record/directory-words.commands.ts'
import type { AppContext } from '#server/app-context.ts'
import type { Kysely } from 'kysely'
import type { Ending } from '#contract/console/member-account.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { messages } from '#contract/messages.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox, cancelEffect } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { deletedLoginHash } from '#server/features/auth/sessions/deleted-login.queries.ts'
import { saveDeletedLogin } from '#server/features/auth/sessions/deleted-login.commands.ts'
import { invalidateTokens } from '#server/features/auth/one-time-token.commands.ts'
import { deleteKnownBrowsers, revokeSessions } from '#server/features/auth/sessions/session.commands.ts'
import { closeApprovalsOfAccount } from '#server/features/officers/approvals/approval.commands.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { requireAnotherManager } from '#server/features/officers/managers.commands.ts'
import { endAllTerms, lockPresidents } from '#server/features/officers/officer.commands.ts'
import { deleteSecondFactors } from '#server/features/officers/factors/second-factor.commands.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import { hasLiveSubscription } from '#server/features/memberships/membership.rules.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import { markUnsubscribed, suppress } from '#server/features/newsletter/subscribers/subscriber.commands.ts'
import { findMergeTargetEmail, listMergedAccountIds } from '#server/features/accounts/account-merge.queries.ts'
import { finalizeMerges } from '#server/features/accounts/account-merge.commands.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { deleteNotesAbout } from '#server/features/accounts/account-note.commands.ts'
import { deleteAnswers } from '#server/features/roll-call/roll-call.commands.ts'
import { deletePersonState } from '#server/features/person-state/person-state.commands.ts'
import { deleteEmailsToMember } from '#server/features/email-topics/email-topic.commands.ts'
import { deleteEntriesOf } from '#server/features/member-record/record-value.commands.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { requireAccount } from '../account.service.ts'
import { closeAccount, recordAccountEnd } from './deletion.commands.ts'
import {
  beginDeletion,
  deleteDeletionIntent,
  endMemberships,
  endSubscribedMembership,
  findDeletion,
  findDeletionByAccount,
  cancelRenewal,
  type DeletionIntent,
} from './deletion.repository.ts'
import { deleteEmailChange } from '../email-change/email-change.commands.ts'
import type { PasswordCheck } from '#server/features/auth/password-proof.service.ts'
import { sendAccountDeleted, sendDeletionFailed, sendEndingFailed } from './deletion.emails.ts'
import { finishDeletion, stopSubscription } from '../account.effects.ts'
import { syncSubscription } from '#server/features/memberships/membership.effects.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'

/** The canceled subscription and what the provider did: stop at the period's end, or end immediately. */
interface CanceledSubscription {
  id: string
  outcome: 'stops' | 'ended'
}

const PROVIDER_REFUSED =
  'Our card provider did not cancel the subscription, so the account was kept. Reload the page in a minute, then try again.'

/** Longer than any request lasts: an older intent was left behind by a crash. */
const STALE_AFTER_MS = 60_000

export function createDeletionService(
  { db, clock, log, timeZone, secrets, gateway, wakeOutbox }: AppContext,
  {
    proof,
    heldWork,
  }: {
    proof: PasswordCheck
    heldWork: HeldWork
  },
) {
  const outboxKey = ({ id }: DeletionIntent) => `deletion:${id}`

  async function begin(accountId: string): Promise<DeletionIntent> {
    return db.transaction().execute(async (tx) => {
      await lockPresidents(tx)
      await lockAccount(tx, accountId)
      // Another request may have deleted the account while this one checked the password.
      if ((await requireAccount(tx, accountId)).deactivatedBy !== null) throw new Problem('ACCOUNT_INACTIVE')
      await requireAnotherManager(tx, accountId, dayOf(clock.now(), timeZone))
      const deletion = await saveIntent(tx, {
        accountId,
        ending: 'self',
        askedBy: null,
        approvedBy: null,
        reason: null,
      })
      if (!deletion) throw new Problem('DELETION_UNDER_WAY')
      return deletion
    })
  }

  /** Returns null if another request is processing an intent. */
  async function saveIntent(tx: Tx, request: Omit<DeletionIntent, 'id'>): Promise<DeletionIntent | null> {
    const now = clock.now()
    const deletion = await beginDeletion(tx, { ...request, id: newId(now) }, { now, staleBefore: now - STALE_AFTER_MS })
    if (!deletion) return null
    // If this process dies before the end, the worker finishes the deletion.
    await addToOutbox(
      tx,
      {
        effect: finishDeletion,
        payload: { deletionId: deletion.id },
        dedupeKey: outboxKey(deletion),
        dueAt: now + STALE_AFTER_MS,
      },
      now,
    )
    return deletion
  }

  async function liveSubscription(tx: Kysely<Schema>, accountId: string): Promise<string | null> {
    const membership = await findCurrentMembership(tx, accountId)
    return membership && hasLiveSubscription(membership) ? membership.stripeSubscriptionId : null
  }

  async function carryOut(deletion: DeletionIntent, idempotencyKey: string): Promise<void> {
    const id = await liveSubscription(db, deletion.accountId)
    await commit(deletion, id === null ? null : { id, outcome: await cancel(deletion, id, idempotencyKey) })
  }

  /** Cancels at the end of the paid period; immediately if the member died. */
  async function cancel({ ending }: DeletionIntent, id: string, key: string): Promise<CanceledSubscription['outcome']> {
    if (ending !== 'deceased') return gateway.cancelAtPeriodEnd(id, key)
    await gateway.cancelSubscription(id, `${key}:at-once`)
    return 'ended'
  }

  async function erase(tx: Tx, accountId: string, { actor, now }: { actor: string; now: number }): Promise<void> {
    const account = await requireAccount(tx, accountId)
    const nameHashes = [account.email, account.username].map((name) => deletedLoginHash(secrets, name))
    const { passwordHash } = account
    if (passwordHash !== '') await saveDeletedLogin(tx, { accountId, passwordHash, nameHashes }, now)
    await closeAccount(tx, accountId, now)
    await revokeSessions(tx, accountId, now)
    await invalidateTokens(tx, { subjectId: accountId, now })
    await deleteKnownBrowsers(tx, accountId)
    await deleteSecondFactors(tx, accountId)
    await deleteEmailChange(tx, accountId)
    await deleteNotesAbout(tx, accountId)
    await deleteEntriesOf(tx, accountId)
    await deleteFromDirectory(tx, accountId)
    await deleteEmailsToMember(tx, accountId, now)
    await deleteCard(tx, accountId)
    await deletePersonState(tx, accountId)
    await deleteAnswers(tx, accountId)
    await closeApprovalsOfAccount(tx, accountId, now)
    for (const { role, startsOn, endsOn } of await endAllTerms(tx, {
      accountId,
      day: dayOf(now, timeZone),
      now,
    })) {
      const details = { before: { role, startsOn, endsOn }, after: null }
      await writeAudit(tx, { actor, action: 'role.ended', subjectId: accountId, details }, now)
    }
  }

  /** When officers end an account: suppresses its newsletter and, if the member died, ends the membership. */
  async function endByOfficers(
    tx: Tx,
    deletion: DeletionIntent,
    accountIds: readonly string[],
    now: number,
  ): Promise<void> {
    const { accountId, ending, askedBy, approvedBy, reason } = deletion
    if (ending === 'self' || askedBy === null) return
    for (const id of accountIds) {
      const account = await findAccount(tx, id)
      if (account) {
        await suppress(tx, addressHash(secrets, account.email), 'account_ended', now)
        await markUnsubscribed(tx, account.email, now)
      }
      await recordAccountEnd(tx, { accountId: id, ending, endedBy: askedBy, now })
    }
    if (ending === 'deceased') await endMemberships(tx, accountId, now)
    const details = { as: ending, reason, ...(approvedBy && { approvedBy }) }
    await writeAudit(tx, { actor: askedBy, action: 'account.ended', subjectId: accountId, details }, now)
  }

  async function commit(deletion: DeletionIntent, canceled: CanceledSubscription | null): Promise<void> {
    const { id, accountId, ending, askedBy } = deletion
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      // Same lock order as `begin`, because roles end here: another order could deadlock.
      await lockPresidents(tx)
      await lockAccount(tx, accountId)
      // Already finished by the request or the worker.
      if (!(await deleteDeletionIntent(tx, id))) return
      // Accounts merged into this one are erased with it.
      const accountIds = [accountId, ...(await listMergedAccountIds(tx, accountId))]
      for (const erased of accountIds) await erase(tx, erased, { actor: askedBy ?? accountId, now })
      await finalizeMerges(tx, accountIds)
      await cancelRenewal(tx, accountId, now)
      if (canceled?.outcome === 'ended')
        await endSubscribedMembership(tx, accountId, { subscriptionId: canceled.id, now })
      const replaced = await liveSubscription(tx, accountId)
      if (replaced && replaced !== canceled?.id) {
        const payload = { subscriptionId: replaced, ...(ending === 'deceased' && { atOnce: true }) }
        await addToOutbox(tx, { effect: stopSubscription, payload }, now)
      }
      if (ending === 'self') {
        await writeAudit(tx, { actor: accountId, action: 'account.deleted', subjectId: accountId }, now)
      } else await endByOfficers(tx, deletion, accountIds, now)
      if (ending !== 'deceased') {
        const payload = { accountId, ...(ending === 'request' && { byOfficers: true }) }
        await addToOutbox(tx, { effect: sendAccountDeleted, payload }, now)
      }
      await cancelEffect(tx, outboxKey(deletion), now)
    })
    await heldWork.holdScheduled(accountId, askedBy ?? accountId)
    wakeOutbox()
  }

  /** Keeps the account. Syncs the subscription: the provider may have canceled it although its response was lost. */
  async function abandon(deletion: DeletionIntent, failure: PaymentProviderError): Promise<void> {
    const { id, accountId, ending, askedBy, reason } = deletion
    const now = clock.now()
    log.warn({ deletion: id, outcome: failure.outcome, reason: failure.message }, 'account not deleted')
    await db.transaction().execute(async (tx) => {
      if (!(await deleteDeletionIntent(tx, id))) return
      await cancelEffect(tx, outboxKey(deletion), now)
      if (askedBy === null) {
        await writeAudit(tx, { actor: accountId, action: 'account.deletion_failed', subjectId: accountId }, now)
      } else {
        const details = { as: ending, reason }
        await writeAudit(tx, { actor: askedBy, action: 'account.end_failed', subjectId: accountId, details }, now)
      }
      const subscriptionId = await liveSubscription(tx, accountId)
      if (subscriptionId) await addToOutbox(tx, { effect: syncSubscription, payload: { subscriptionId } }, now)
    })
    wakeOutbox()
  }

  return {
    /**
     * Cancels renewals at the card provider, then deactivates the account: both or neither
     * (docs/product-rules.md#deleting-an-account).
     * @throws Problem INVALID_INPUT, RATE_LIMITED; LAST_PRESIDENT if no one else manages officers; DELETION_UNDER_WAY;
     * DELETION_FAILED if the provider refused or did not respond: the account is kept
     */
    async delete(accountId: string, password: string): Promise<void> {
      const account = await requireAccount(db, accountId)
      await proof.require(account, password, { field: 'password', sentence: messages.password.incorrect })
      const deletion = await begin(accountId)
      try {
        await carryOut(deletion, deletion.id)
      } catch (error) {
        if (!(error instanceof PaymentProviderError)) throw error
        await abandon(deletion, error)
        throw new Problem('DELETION_FAILED')
      }
    },

    /**
     * Records that officers end an account. Call it in a transaction that holds the account's lock; `finishEnd`, or else
     * the worker, carries it out after the commit.
     * @throws Problem NOT_FOUND; CHANGED_MEANWHILE if the account is already deleted; IS_MERGED, LAST_PRESIDENT,
     * ENDING_UNDER_WAY
     */
    async beginEnd(tx: Tx, request: Omit<DeletionIntent, 'id'> & { ending: Ending; askedBy: string }): Promise<void> {
      const { accountId } = request
      const account = await findAccount(tx, accountId)
      if (!account) throw new Problem('NOT_FOUND')
      if (account.deactivatedBy === 'self') throw new Problem('CHANGED_MEANWHILE')
      if ((await findMergeTargetEmail(tx, accountId)) !== null) throw new Problem('IS_MERGED')
      await requireAnotherManager(tx, accountId, dayOf(clock.now(), timeZone))
      if (!(await saveIntent(tx, request))) throw new Problem('ENDING_UNDER_WAY')
    },

    /** @throws Problem PROVIDER_FAILED: the account is kept */
    async finishEnd(accountId: string): Promise<void> {
      const deletion = await findDeletionByAccount(db, accountId)
      // Already finished by the worker.
      if (!deletion) return
      try {
        await carryOut(deletion, deletion.id)
      } catch (error) {
        if (!(error instanceof PaymentProviderError)) throw error
        await abandon(deletion, error)
        throw new Problem('PROVIDER_FAILED', { message: PROVIDER_REFUSED })
      }
    },

    effects: {
      async 'account.finish_deletion'({ deletionId }, { attempts }) {
        const deletion = await findDeletion(db, deletionId)
        if (!deletion) return
        try {
          // The provider replays a failure for the same idempotency key, so retries need a new key.
          await carryOut(deletion, attempts === 1 ? deletion.id : `${deletion.id}:${attempts}`)
        } catch (error) {
          if (!(error instanceof PaymentProviderError) || error.outcome !== 'refused') throw error
          await abandon(deletion, error)
          const { accountId, askedBy } = deletion
          if (askedBy === 'webmaster') return
          if (askedBy === null) {
            await addToOutbox(db, { effect: sendDeletionFailed, payload: { accountId } }, clock.now())
            return
          }
          const payload = { accountId, officerId: askedBy }
          await addToOutbox(db, { effect: sendEndingFailed, payload }, clock.now())
        }
      },

      async 'account.stop_subscription'({ subscriptionId, atOnce }) {
        if (atOnce) await gateway.cancelSubscription(subscriptionId, `stop-at-once:${subscriptionId}`)
        else await gateway.cancelAtPeriodEnd(subscriptionId, `stop:${subscriptionId}`)
      },
    } satisfies HandlersOf<typeof finishDeletion | typeof stopSubscription>,
  }
}

export type DeletionService = ReturnType<typeof createDeletionService>
