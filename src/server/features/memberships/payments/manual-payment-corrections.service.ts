import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { membershipVersion } from './manual-payment.rules.ts'
import {
  describeManualPayment,
  isManualPayment,
  manualReference,
  type ManualPayment,
} from '#server/features/orders/payments/manual-payment.rules.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership, type Membership } from '../membership.queries.ts'
import { expireCreditedCheckouts } from './payment-credit.commands.ts'
import { moveCredits } from './payment-credit.repository.ts'
import type { RefundEffect } from './refund.rules.ts'
import { findPayment, type Payment, type PaymentRecord } from './payment.queries.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import { findPaymentByReference } from './payment.repository.ts'
import { recordPayment, voidPayment } from './payment.commands.ts'
import type { LockedMembership } from './manual-payment.service.ts'
import { resumeReplacedMembership, revokeTerm, alertOwedCredit } from './refunded-term.commands.ts'
import { sendReceipt, sendReceiptCanceled } from '../membership.emails.ts'

/** A recorded payment, with the version of the membership that the officer saw. */
interface RecordedTarget {
  accountId: string
  paymentId: string
  /** null for the command line, which acts on the current state. */
  version: string | null
  /** The officer's account, or 'webmaster'. */
  actor: string
  reason: string
}

/** Corrections of check and cash payments that were recorded wrongly or not paid. */
export function createManualPaymentCorrections(
  { db, clock, alerts, graceMs, yearOf, wakeOutbox }: AppContext,
  {
    open,
    giveTerm,
    closePage,
  }: {
    /** The steps by which a manual payment grants a term: checks the membership, grants the term, and closes an open checkout. */
    open(tx: Tx, target: { accountId: string; levelKey: string; version: string | null }): Promise<LockedMembership>
    giveTerm(
      tx: Tx,
      opened: LockedMembership,
      given: { accountId: string; actor: string; from: number; now: number },
    ): Promise<Pick<Payment, 'purpose' | 'periodEndsAt'>>
    closePage(tx: Tx, accountId: string, now: number): Promise<void>
  },
) {
  /** Requires a recorded payment that can still be voided. */
  async function requireRecorded(tx: Tx, { accountId, paymentId, version }: RecordedTarget) {
    await lockAccount(tx, accountId)
    const payment = await findPayment(tx, paymentId)
    if (payment?.accountId !== accountId) throw new Problem('NOT_FOUND')
    if (!isManualPayment(payment.reference)) throw new Problem('NOT_BY_HAND')
    if (payment.voidedAt !== null) throw new Problem('CHANGED_MEANWHILE')
    const current = await findCurrentMembership(tx, accountId)
    if (version !== null && membershipVersion(current) !== version) throw new Problem('CHANGED_MEANWHILE')
    return { payment, current }
  }

  /** Voids the payment, which counts as refunded from then on. */
  async function cancelRecord(tx: Tx, payment: PaymentRecord, { actor, reason }: RecordedTarget, now: number) {
    if (!(await voidPayment(tx, payment, { by: actor, reason, now }))) throw new Problem('CHANGED_MEANWHILE')
    await expireCreditedCheckouts(tx, payment.id, now)
    return { ...payment, voidedAt: now, voidReason: reason }
  }

  /** Revokes the term and resumes the membership it replaced, if any. */
  async function undoTerm(
    tx: Tx,
    {
      payment,
      current,
      actor,
      reason,
      now,
    }: {
      payment: PaymentRecord
      current: Membership | null
      actor: string
      reason: string
      now: number
    },
  ): Promise<RefundEffect | 'resumed'> {
    const left = await revokeTerm(tx, payment, { actor, reason, endedAt: now, now })
    const replaced = payment.purpose === 'start' ? current : null
    if (left !== 'over' || replaced === null) return left
    return (await resumeReplacedMembership(tx, replaced, { actor, reason, now, graceMs: graceMs() })) ? 'resumed' : left
  }

  return {
    /**
     * Voids a check or cash payment: its receipt keeps its number and is marked canceled, and the membership loses the term it paid for. A membership that it had
     * replaced resumes. The member is emailed. Wake the outbox after the commit.
     * @throws Problem NOT_FOUND, NOT_BY_HAND, CHANGED_MEANWHILE when it was already voided, NOT_ALLOWED on the officer's own account
     */
    async voidWithin(tx: Tx, target: RecordedTarget): Promise<void> {
      const { accountId, actor, reason } = target
      const now = clock.now()
      const { payment, current } = await requireRecorded(tx, target)
      const voided = await cancelRecord(tx, payment, target, now)
      const left = await undoTerm(tx, { payment: voided, current, actor, reason, now })
      await alertOwedCredit(tx, alerts, payment, voided)
      const { id: paymentId, receiptNumber, amount } = payment
      const after = { membership: typeof left === 'string' ? left : 'ends sooner' }
      const details = {
        receiptNumber,
        reason,
        before: { amount, reference: describeManualPayment(payment.reference) },
        after,
      }
      await writeAudit(tx, { actor, action: 'payment.voided', subjectId: accountId, details }, now)
      await addToOutbox(
        tx,
        { effect: sendReceiptCanceled, payload: { paymentId }, dedupeKey: `receipt-canceled:${paymentId}` },
        now,
      )
    },

    /** `voidWithin` in a transaction of its own. */
    async voidManualPayment(target: RecordedTarget): Promise<void> {
      await db.transaction().execute((tx) => this.voidWithin(tx, target))
      wakeOutbox()
    },

    /**
     * Voids the payment and replaces it with a corrected one, whose receipt is emailed. The term is unchanged unless the level differs: then
     * it is revoked and granted again, starting when the payment was first recorded.
     * @throws Problem as `voidManualPayment` and `recordWithin`
     */
    async correctWithin(
      tx: Tx,
      target: RecordedTarget,
      { levelKey, method, reference, amount, paidAt }: ManualPayment & { levelKey: string },
    ): Promise<void> {
      const { accountId, actor, reason } = target
      const now = clock.now()
      const { payment, current } = await requireRecorded(tx, target)
      const voided = await cancelRecord(tx, payment, target, now)
      const known = manualReference(accountId, { method, reference })
      const other = await findPaymentByReference(tx, known)
      if (other) throw fieldProblem('reference', `This is already recorded, with receipt ${other.receiptNumber}`)
      const level = await findLevel(tx, levelKey)
      if (!level) throw fieldProblem('levelKey', 'Please choose a level')
      const began = payment.activatedAt ?? payment.recordedAt
      let term: Pick<Payment, 'purpose' | 'periodEndsAt' | 'activatedAt'> = {
        purpose: payment.purpose,
        periodEndsAt: payment.periodEndsAt,
        activatedAt: began,
      }
      // A payment for an earlier year or a former membership: only the books are corrected.
      const isUndone =
        levelKey !== payment.levelKey &&
        (await undoTerm(tx, { payment: voided, current, actor, reason, now })) !== 'untouched'
      if (isUndone) {
        const opened = await open(tx, { accountId, levelKey, version: null })
        term = await giveTerm(tx, opened, { accountId, actor, from: began, now })
        await closePage(tx, accountId, now)
      }
      const id = newId(now)
      const replacement = {
        ...term,
        id,
        accountId,
        checkoutId: null,
        reference: known,
        paymentIntentId: null,
        levelKey,
        amount,
        currency: payment.currency,
        receiptNumber: receiptNumber(id, paidAt, yearOf),
        paidAt,
        replacesId: payment.id,
      }
      await recordPayment(tx, replacement, now)
      await moveCredits(tx, payment.id, id)
      const after = await findPayment(tx, id)
      if (after) await alertOwedCredit(tx, alerts, payment, after)
      const paid = describeManualPayment(payment.reference)
      const details = {
        reason,
        before: {
          receiptNumber: payment.receiptNumber,
          paid,
          amount: payment.amount,
          paidAt: payment.paidAt,
          level: payment.levelKey,
        },
        after: {
          receiptNumber: replacement.receiptNumber,
          paid: describeManualPayment(known),
          amount,
          paidAt,
          level: levelKey,
        },
      }
      await writeAudit(tx, { actor, action: 'payment.corrected', subjectId: accountId, details }, now)
      await addToOutbox(tx, { effect: sendReceipt, payload: { paymentId: id }, dedupeKey: `receipt:${id}` }, now)
    },

    /** `correctWithin` in a transaction of its own. */
    async correctManualPayment(target: RecordedTarget, paid: ManualPayment & { levelKey: string }): Promise<void> {
      await db.transaction().execute((tx) => this.correctWithin(tx, target, paid))
      wakeOutbox()
    },
  }
}
