import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findOpenCheckout } from '../checkout/checkout.commands.ts'
import { insertComplimentaryTerm } from './complimentary.commands.ts'
import { findLevel, type Level } from '#server/features/levels/level.queries.ts'
import { extendTerm, startMembership, termEnd } from '../membership-start.commands.ts'
import { findCurrentMembership, type Membership } from '../membership.queries.ts'
import { hasLiveSubscription, hasRights, membershipStatus } from '../membership.rules.ts'
import { isManualRenewal } from '../membership-price.rules.ts'
import { createManualPaymentCorrections } from './manual-payment-corrections.service.ts'
import { findPaymentByReference } from './payment.repository.ts'
import { type Payment } from './payment.queries.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import { recordPayment } from './payment.commands.ts'
import { membershipVersion } from './manual-payment.rules.ts'
import { manualReference, type ManualPayment } from '#server/features/orders/payments/manual-payment.rules.ts'
import { expireCheckout } from '../membership.effects.ts'
import { sendReceipt } from '../membership.emails.ts'

/** The membership an officer acts on, with the version they saw. */
interface Target {
  accountId: string
  levelKey: string
  version: string
  /** The officer's account. */
  actor: string
}

/** Payments and grants recorded by officers: with the card checkout, the only code that starts memberships (decision record 7). */
export function createManualPayments(ctx: AppContext) {
  const { db, clock, graceMs, yearOf, wakeOutbox } = ctx

  /** Locks the account and returns its membership, if an officer may change it. */
  async function open(
    tx: Tx,
    { accountId, levelKey, version }: Pick<Target, 'accountId' | 'levelKey'> & { version: string | null },
  ): Promise<LockedMembership> {
    await lockAccount(tx, accountId)
    const account = await findAccount(tx, accountId)
    if (!account) throw new Problem('NOT_FOUND')
    if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
    const level = await findLevel(tx, levelKey)
    if (!level) throw fieldProblem('levelKey', 'Please choose a level')
    const current = await findCurrentMembership(tx, accountId)
    if (version !== null && membershipVersion(current) !== version) throw new Problem('CHANGED_MEANWHILE')
    if (current === null) return { level, current, isRunning: false }
    const status = membershipStatus(current, clock.now(), graceMs())
    const isRunning = hasRights(status)
    if (isRunning && current.kind === 'ONE_TIME') throw new Problem('LIFETIME_MEMBERSHIP')
    const isCharged = status === 'ACTIVE' && hasLiveSubscription(current) && !current.cancelAtPeriodEnd
    if (isCharged) throw new Problem('RENEWS_BY_CARD')
    return { level, current, isRunning }
  }

  /** Records the payment and queues its receipt. */
  async function record(
    tx: Tx,
    payment: ManualPayment & {
      accountId: string
      actor: string
      level: Level
      endsAt: number | null
      purpose: Payment['purpose']
      /** When its term took effect, if not now. */
      activatedAt?: number
      /** Why the amount is not the price. */
      note?: string
    },
    now: number,
  ): Promise<{ id: string; receiptNumber: string }> {
    const { accountId, actor, level, method, reference, amount, paidAt, endsAt, purpose, activatedAt, note } = payment
    const id = newId(now)
    const number = receiptNumber(id, paidAt, yearOf)
    await recordPayment(
      tx,
      {
        id,
        accountId,
        checkoutId: null,
        reference: manualReference(accountId, { method, reference }),
        paymentIntentId: null,
        purpose,
        levelKey: level.key,
        amount,
        currency: level.currency,
        receiptNumber: number,
        periodEndsAt: endsAt,
        paidAt,
        ...(activatedAt !== undefined && { activatedAt }),
      },
      now,
    )
    const details = {
      before: null,
      after: { method, reference, amount, paidAt, level: level.key, ...(note !== undefined && { reason: note }) },
    }
    await writeAudit(tx, { actor, action: 'payment.recorded', subjectId: accountId, details }, now)
    await addToOutbox(tx, { effect: sendReceipt, payload: { paymentId: id }, dedupeKey: `receipt:${id}` }, now)
    return { id, receiptNumber: number }
  }

  /** Expires an open checkout, so the member does not pay twice. */
  async function closePage(tx: Tx, accountId: string, now: number): Promise<void> {
    const checkout = await findOpenCheckout(tx, accountId)
    if (!checkout?.stripeSessionId) return
    await addToOutbox(tx, { effect: expireCheckout, payload: { checkoutId: checkout.id } }, now)
  }

  /** Starts or extends the term a manual payment pays for. @param from start of a new term */
  async function giveTerm(
    tx: Tx,
    opened: LockedMembership,
    { accountId, actor, from, now }: { accountId: string; actor: string; from: number; now: number },
  ): Promise<Pick<Payment, 'purpose' | 'periodEndsAt'>> {
    const { level, current } = opened
    const { isExtension, endsAt, purpose } = planTerm(opened, from)
    if (isExtension && current && endsAt !== null) await extendTerm(tx, current, { endsAt, actor, now })
    else {
      const isRenewal = purpose === 'renewal'
      await startMembership(tx, { accountId, level, current, endsAt, subscriptionId: null, actor, now, isRenewal })
    }
    return { purpose, periodEndsAt: endsAt }
  }

  /** Refuses a check that is recorded already. */
  async function requireNew(
    tx: Tx,
    accountId: string,
    paid: Pick<ManualPayment, 'method' | 'reference'>,
  ): Promise<void> {
    const before = await findPaymentByReference(tx, manualReference(accountId, paid))
    if (before) throw fieldProblem('reference', `This is already recorded, with receipt ${before.receiptNumber}`)
  }

  return {
    /** Records the payment for the first term of an account, in the transaction that creates it. Wake the outbox after the commit. */
    async recordFirstPayment(
      tx: Tx,
      target: { accountId: string; actor: string; level: Level; endsAt: number | null },
      paid: ManualPayment,
    ): Promise<void> {
      // The start may be in the past. Storing it identifies the membership's first payment if it is voided later.
      const membership = await findCurrentMembership(tx, target.accountId)
      const began = membership && { activatedAt: membership.startedAt }
      await record(tx, { ...target, ...paid, ...began, purpose: 'start' }, clock.now())
    },
    ...createManualPaymentCorrections(ctx, { open, giveTerm, closePage }),

    /**
     * What a payment would give, once the account is locked: nothing is written.
     * @throws Problem as `recordWithin`
     */
    async planManualPayment(
      tx: Tx,
      { accountId, levelKey }: Pick<Target, 'accountId' | 'levelKey'>,
      paid: Pick<ManualPayment, 'method' | 'reference'>,
    ): Promise<ManualPlan> {
      await lockAccount(tx, accountId)
      await requireNew(tx, accountId, paid)
      const opened = await open(tx, { accountId, levelKey, version: null })
      return { ...opened, ...planTerm(opened, clock.now()) }
    },

    /**
     * Records a payment outside the card provider with its receipt, and starts or renews the membership. A manual term is extended from its end, as is a subscription
     * that was set to end. The same reference is recorded once per account. An open card checkout is expired. Wake the outbox after the commit.
     * @throws Problem NOT_FOUND, ACCOUNT_CLOSED, RENEWS_BY_CARD, LIFETIME_MEMBERSHIP, INVALID_INPUT
     */
    async recordWithin(
      tx: Tx,
      target: Omit<Target, 'version'>,
      { note, ...paid }: ManualPayment & { note?: string },
    ): Promise<{ id: string; receiptNumber: string }> {
      const { accountId, actor } = target
      const now = clock.now()
      await lockAccount(tx, accountId)
      await requireNew(tx, accountId, paid)
      const opened = await open(tx, { ...target, version: null })
      const { purpose, periodEndsAt: endsAt } = await giveTerm(tx, opened, { accountId, actor, from: now, now })
      const given = { accountId, actor, level: opened.level, endsAt, purpose, ...(note !== undefined && { note }) }
      const recorded = await record(tx, { ...paid, ...given }, now)
      await closePage(tx, accountId, now)
      return recorded
    },

    /**
     * Grants a level until an instant (null: for life), or moves the end of the current term. The term is complimentary and stored with its reason.
     * @throws Problem NOT_FOUND, ACCOUNT_CLOSED, CHANGED_MEANWHILE, RENEWS_BY_CARD, LIFETIME_MEMBERSHIP, INVALID_INPUT
     */
    async grantTerm(target: Target, { endsAt, reason }: { endsAt: number | null; reason: string }): Promise<void> {
      const { accountId, actor } = target
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const { level, current, isRunning } = await open(tx, target)
        const end = requireEnd(level, endsAt, now)
        await closePage(tx, accountId, now)
        const term = {
          id: newId(now),
          accountId,
          levelKey: level.key,
          endsAt: end,
          reason,
          givenBy: actor,
          givenAt: now,
        }
        if (isRunning && current !== null && end !== null && isManualRenewal(current, level)) {
          await extendTerm(tx, current, { endsAt: end, actor, now, reason })
          return insertComplimentaryTerm(tx, { ...term, membershipId: current.id })
        }
        const wanted = { accountId, level, current, endsAt: end, subscriptionId: null, actor, now, reason }
        return insertComplimentaryTerm(tx, { ...term, membershipId: await startMembership(tx, wanted) })
      })
      wakeOutbox()
    },
  }
}

export interface LockedMembership {
  level: Level
  current: Membership | null
  /** Whether it grants rights. */
  isRunning: boolean
}

/** The term that a payment starts or extends. @param from start of a new term */
function planTerm({ level, current, isRunning }: LockedMembership, from: number) {
  const isExtension = isRunning && current !== null && isManualRenewal(current, level) && level.isRecurring
  const isPaidUp = isRunning && current !== null && current.pastDueSince === null
  const endsAt = termEnd(isPaidUp && current.levelKey === level.key ? (current.endsAt ?? from) : from, level)
  const purpose: Payment['purpose'] = isRunning && current?.levelKey === level.key ? 'renewal' : 'start'
  return { isExtension, endsAt, purpose }
}

/** What a payment would give. */
export type ManualPlan = LockedMembership & ReturnType<typeof planTerm>

export type ManualPayments = ReturnType<typeof createManualPayments>

function requireEnd(level: Level, endsAt: number | null, now: number): number | null {
  if (!level.isRecurring) return null
  if (endsAt === null || endsAt <= now) throw fieldProblem('endsOn', 'Please enter a future date')
  return endsAt
}
