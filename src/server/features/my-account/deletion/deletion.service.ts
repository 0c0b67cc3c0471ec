import type { Kysely } from 'kysely'
import type { Ending } from '#contract/console-member-account.ts'
import { dayOf } from '#contract/dates.ts'
import { messages } from '#contract/messages.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { PaymentProviderError, type PaymentGateway } from '#server/payments/payment-gateway.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import type { Log } from '#server/platform/logger.ts'
import { addToOutbox, takeBackEffect } from '#server/platform/outbox.repository.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { departedNameHash, saveDepartedLogin } from '../auth/departed-login.repository.ts'
import { endTokens } from '../auth/one-time-token.repository.ts'
import { forgetBrowsersOf, revokeSessions } from '../auth/session.repository.ts'
import { closeApprovalsAbout } from '../console/approval.repository.ts'
import type { HeldWork } from '../console/held-work.ts'
import { requireAnotherManager } from '../console/managers.repository.ts'
import { endTermsOf, lockPresidents } from '../console/officer.repository.ts'
import { forgetSecondFactor } from '../console/second-factor.repository.ts'
import { findCurrentMembership } from '../membership/membership.repository.ts'
import { hasLiveSubscription } from '../membership/membership.rules.ts'
import { addressHash } from '../newsletter/address-hash.ts'
import { markLeft, suppress } from '../newsletter/subscriber.repository.ts'
import { findKeptAddress, listMergedInto, settleMerges } from './account-merge.repository.ts'
import { findAccount, lockAccount } from './account.repository.ts'
import { requireAccount } from './account.service.ts'
import {
  beginDeletion,
  closeAccount,
  endDeletion,
  endMemberships,
  endSubscribed,
  findDeletion,
  findDeletionOf,
  recordEnd,
  stopRenewing,
  type Deletion,
} from './deletion.repository.ts'
import { forgetEmailChange } from './email-change.repository.ts'
import type { PasswordProof } from './password-proof.ts'

export interface DeletionService {
  /**
   * Ends the renewals at the provider, then deactivates the account; both or neither (docs/product-rules.md#deleting-an-account).
   * @throws Problem INVALID_INPUT, RATE_LIMITED; LAST_PRESIDENT while nobody else manages the officers; DELETION_UNDER_WAY; DELETION_FAILED when the provider refused or did not answer: the account is kept
   */
  delete(accountId: string, password: string): Promise<void>
  /**
   * Writes down, in a transaction that holds the account's lock, that officers end an account; `finishEnd` carries it out after the commit, or the worker.
   * @throws Problem NOT_FOUND, CHANGED_MEANWHILE when it is closed for good already, IS_MERGED, LAST_PRESIDENT, ENDING_UNDER_WAY
   */
  beginEnd(tx: Tx, wish: Omit<Deletion, 'id'> & { ending: Ending; askedBy: string }): Promise<void>
  /** @throws Problem PROVIDER_FAILED: the account is kept */
  finishEnd(accountId: string): Promise<void>
  effects: Record<string, (payload: Record<string, unknown>, effect: { attempts: number }) => Promise<void>>
}

/** What the provider was asked to end, and how it did. */
interface Cancelled {
  id: string
  outcome: 'stops' | 'ended'
}

const NOT_ENDED =
  'Our card provider would not end the subscription, so the account was kept. Look at the page again in a minute, then try once more.'

/** Longer than any request lasts: an intent that is older was left by a crash. */
const LEFT_AFTER_MS = 60_000

export function createDeletionService({
  db,
  clock,
  log,
  timeZone,
  secrets,
  gateway,
  proof,
  heldWork,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  timeZone: string
  secrets: Secrets
  gateway: PaymentGateway
  proof: PasswordProof
  heldWork: HeldWork
  wakeOutbox(): void
}): DeletionService {
  const keyOf = ({ id }: Deletion) => `deletion:${id}`

  async function begin(accountId: string): Promise<Deletion> {
    return db.transaction().execute(async (tx) => {
      await lockPresidents(tx)
      await lockAccount(tx, accountId)
      // Another request may have deleted it while this one looked at the password.
      if ((await requireAccount(tx, accountId)).deactivatedBy !== null) throw new Problem('ACCOUNT_INACTIVE')
      await requireAnotherManager(tx, accountId, dayOf(clock.now(), timeZone))
      const deletion = await writeIntent(tx, {
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

  /** null while another request is carrying one out. */
  async function writeIntent(tx: Tx, wish: Omit<Deletion, 'id'>): Promise<Deletion | null> {
    const now = clock.now()
    const deletion = await beginDeletion(tx, { ...wish, id: newId(now) }, { now, leftBefore: now - LEFT_AFTER_MS })
    if (!deletion) return null
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
  }

  async function liveSubscription(tx: Kysely<Schema>, accountId: string): Promise<string | null> {
    const membership = await findCurrentMembership(tx, accountId)
    return membership && hasLiveSubscription(membership) ? membership.stripeSubscriptionId : null
  }

  async function carryOut(deletion: Deletion, idempotencyKey: string): Promise<void> {
    const id = await liveSubscription(db, deletion.accountId)
    await commit(deletion, id === null ? null : { id, outcome: await cancel(deletion, id, idempotencyKey) })
  }

  /** What is paid for runs out, but a card is not left with anybody who died. */
  async function cancel({ ending }: Deletion, id: string, key: string): Promise<Cancelled['outcome']> {
    if (ending !== 'deceased') return gateway.cancelAtPeriodEnd(id, key)
    await gateway.cancelSubscription(id, `${key}:at-once`)
    return 'ended'
  }

  async function erase(tx: Tx, accountId: string, { actor, now }: { actor: string; now: number }): Promise<void> {
    const account = await requireAccount(tx, accountId)
    const nameHashes = [account.email, account.username].map((name) => departedNameHash(secrets, name))
    const { passwordHash } = account
    if (passwordHash !== '') await saveDepartedLogin(tx, { accountId, passwordHash, nameHashes }, now)
    await closeAccount(tx, accountId, now)
    await revokeSessions(tx, accountId, now)
    await endTokens(tx, { subjectId: accountId, now })
    await forgetBrowsersOf(tx, accountId)
    await forgetSecondFactor(tx, accountId)
    await forgetEmailChange(tx, accountId)
    await closeApprovalsAbout(tx, accountId, now)
    for (const { role, startsOn, endsOn } of await endTermsOf(tx, {
      accountId,
      day: dayOf(now, timeZone),
      now,
    })) {
      const details = { before: { role, startsOn, endsOn }, after: null }
      await writeAudit(tx, { actor, action: 'role.ended', subjectId: accountId, details }, now)
    }
  }

  /** What officers end besides: the newsletter, and of somebody who died the membership too. */
  async function endByOfficers(tx: Tx, deletion: Deletion, all: readonly string[], now: number): Promise<void> {
    const { accountId, ending, askedBy, approvedBy, reason } = deletion
    if (ending === 'self' || askedBy === null) return
    for (const one of all) {
      const account = await findAccount(tx, one)
      if (account) {
        await suppress(tx, addressHash(secrets, account.email), 'account_ended', now)
        await markLeft(tx, account.email, now)
      }
      await recordEnd(tx, { accountId: one, ending, endedBy: askedBy, now })
    }
    if (ending === 'deceased') await endMemberships(tx, accountId, now)
    const details = { as: ending, reason, ...(approvedBy && { approvedBy }) }
    await writeAudit(tx, { actor: askedBy, action: 'account.ended', subjectId: accountId, details }, now)
  }

  async function commit(deletion: Deletion, cancelled: Cancelled | null): Promise<void> {
    const { id, accountId, ending, askedBy } = deletion
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      // In the order of whoever begins, since the roles of the account end here: in another order two requests would wait for each other.
      await lockPresidents(tx)
      await lockAccount(tx, accountId)
      // Ended by another: the request itself, or the worker.
      if (!(await endDeletion(tx, id))) return
      // Those that officers found to be the same person's go with it.
      const all = [accountId, ...(await listMergedInto(tx, accountId))]
      for (const one of all) await erase(tx, one, { actor: askedBy ?? accountId, now })
      await settleMerges(tx, all)
      await stopRenewing(tx, accountId, now)
      if (cancelled?.outcome === 'ended') await endSubscribed(tx, accountId, { subscriptionId: cancelled.id, now })
      const replaced = await liveSubscription(tx, accountId)
      if (replaced && replaced !== cancelled?.id) {
        const payload = { subscriptionId: replaced, ...(ending === 'deceased' && { atOnce: true }) }
        await addToOutbox(tx, { kind: 'account.stop_subscription', payload }, now)
      }
      if (ending === 'self') {
        await writeAudit(tx, { actor: accountId, action: 'account.deleted', subjectId: accountId }, now)
      } else await endByOfficers(tx, deletion, all, now)
      if (ending !== 'deceased') {
        const payload = { accountId, ...(ending === 'request' && { byOfficers: true }) }
        await addToOutbox(tx, { kind: 'letter.account_deleted', payload }, now)
      }
      await takeBackEffect(tx, keyOf(deletion), now)
    })
    await heldWork.hold(accountId, askedBy ?? accountId)
    wakeOutbox()
  }

  /** Keeps the account. What the provider did nevertheless, if its answer was lost, is read again, so that the page says what is true. */
  async function giveUp(deletion: Deletion, failure: PaymentProviderError): Promise<void> {
    const { id, accountId, ending, askedBy, reason } = deletion
    const now = clock.now()
    log.warn({ deletion: id, outcome: failure.outcome, reason: failure.message }, 'account not deleted')
    await db.transaction().execute(async (tx) => {
      if (!(await endDeletion(tx, id))) return
      await takeBackEffect(tx, keyOf(deletion), now)
      if (askedBy === null) {
        await writeAudit(tx, { actor: accountId, action: 'account.deletion_failed', subjectId: accountId }, now)
      } else {
        const details = { as: ending, reason }
        await writeAudit(tx, { actor: askedBy, action: 'account.end_failed', subjectId: accountId, details }, now)
      }
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

    async beginEnd(tx, wish) {
      const { accountId } = wish
      const account = await findAccount(tx, accountId)
      if (!account) throw new Problem('NOT_FOUND')
      if (account.deactivatedBy === 'self') throw new Problem('CHANGED_MEANWHILE')
      if ((await findKeptAddress(tx, accountId)) !== null) throw new Problem('IS_MERGED')
      await requireAnotherManager(tx, accountId, dayOf(clock.now(), timeZone))
      if (!(await writeIntent(tx, wish))) throw new Problem('ENDING_UNDER_WAY')
    },

    async finishEnd(accountId) {
      const deletion = await findDeletionOf(db, accountId)
      // The worker was quicker.
      if (!deletion) return
      try {
        await carryOut(deletion, deletion.id)
      } catch (error) {
        if (!(error instanceof PaymentProviderError)) throw error
        await giveUp(deletion, error)
        throw new Problem('PROVIDER_FAILED', { message: NOT_ENDED })
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
          const { accountId, askedBy } = deletion
          if (askedBy === 'webmaster') return
          const letter = askedBy === null ? 'letter.deletion_failed' : 'letter.ending_failed'
          const payload = { accountId, ...(askedBy !== null && { officerId: askedBy }) }
          await addToOutbox(db, { kind: letter, payload }, clock.now())
        }
      },

      async 'account.stop_subscription'({ subscriptionId, atOnce }) {
        const id = String(subscriptionId)
        if (atOnce === true) await gateway.cancelSubscription(id, `stop-at-once:${id}`)
        else await gateway.cancelAtPeriodEnd(id, `stop:${id}`)
      },
    },
  }
}
