import type { Kysely } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { lockAccount } from '../account/account.repository.ts'
import { handWords, isByHand, membershipVersion, referenceByHand, type HandMethod } from './by-hand.rules.ts'
import { findLevel } from './level.repository.ts'
import { findCurrentMembership, type Membership } from './membership.repository.ts'
import { closeCreditedPages, moveCredits } from './payment-credit.repository.ts'
import type { AfterReturn } from './payment-return.rules.ts'
import {
  findPayment,
  findPaymentByReference,
  receiptNumber,
  recordPayment,
  voidPayment,
  type Payment,
  type PaymentRecord,
} from './payment.repository.ts'
import type { Opened } from './settlement-by-hand.ts'
import { resumeReplaced, takeBackTerm, tellOwedCredit } from './term-return.ts'

/** What an officer says that a recorded check or cash really was. */
export interface PaidByHand {
  method: HandMethod
  reference: string
  amount: number
  paidAt: number
}

/** A recorded payment, and what the membership was when the officer looked. */
interface RecordedTarget {
  accountId: string
  paymentId: string
  /** null: from the command line, where the present state counts. */
  version: string | null
  /** The officer's account, or 'webmaster'. */
  actor: string
  reason: string
}

/** What officers do about checks and cash that were recorded wrongly, or were not paid. */
export interface HandCorrections {
  /**
   * Cancels the record of a check or cash: its receipt keeps its number and says so, and the membership loses what it paid for. A membership that it had replaced
   * goes on. The member is emailed.
   * @throws Problem NOT_FOUND, NOT_BY_HAND, CHANGED_MEANWHILE when it was canceled already, NOT_ALLOWED on the officer's own account
   */
  voidByHand(target: RecordedTarget): Promise<void>
  /**
   * Cancels the record and replaces it by a corrected one with a receipt of its own, which is emailed. The term stays as it is, unless the level is another one: then
   * it is taken back and given again, counted from when the payment was first recorded.
   * @throws Problem as `voidByHand` and `payByHand`
   */
  correctByHand(target: RecordedTarget, paid: PaidByHand & { levelKey: string }): Promise<void>
}

export function createHandCorrections({
  db,
  clock,
  alarms,
  graceMs,
  yearOf,
  wakeOutbox,
  open,
  giveTerm,
  closePage,
}: {
  db: Kysely<Schema>
  clock: Clock
  alarms: Alarms
  graceMs(): number
  yearOf(instant: number): string
  wakeOutbox(): void
  /** As the settlement by hand gives a term: what is held, the term, and no page left open at which it could be paid again. */
  open(tx: Tx, target: { accountId: string; levelKey: string; version: string | null }): Promise<Opened>
  giveTerm(
    tx: Tx,
    opened: Opened,
    given: { accountId: string; actor: string; from: number; now: number },
  ): Promise<Pick<Payment, 'purpose' | 'periodEndsAt'>>
  closePage(tx: Tx, accountId: string, now: number): Promise<void>
}): HandCorrections {
  /** The recorded payment, if it can still be canceled. */
  async function requireRecorded(tx: Tx, { accountId, paymentId, version }: RecordedTarget) {
    await lockAccount(tx, accountId)
    const payment = await findPayment(tx, paymentId)
    if (payment?.accountId !== accountId) throw new Problem('NOT_FOUND')
    if (!isByHand(payment.reference)) throw new Problem('NOT_BY_HAND')
    if (payment.voidedAt !== null) throw new Problem('CHANGED_MEANWHILE')
    const current = await findCurrentMembership(tx, accountId)
    if (version !== null && membershipVersion(current) !== version) throw new Problem('CHANGED_MEANWHILE')
    return { payment, current }
  }

  /** Cancels the record. From here on the payment counts as returned. */
  async function cancelRecord(tx: Tx, payment: PaymentRecord, { actor, reason }: RecordedTarget, now: number) {
    if (!(await voidPayment(tx, payment, { by: actor, reason, now }))) throw new Problem('CHANGED_MEANWHILE')
    await closeCreditedPages(tx, payment.id, now)
    return { ...payment, voidedAt: now, voidReason: reason }
  }

  /** Takes the term back, and lets the one before it go on where there is one. */
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
  ): Promise<AfterReturn | 'resumed'> {
    const left = await takeBackTerm(tx, payment, { actor, reason, endedAt: now, now })
    const replaced = payment.purpose === 'start' ? current : null
    if (left !== 'over' || replaced === null) return left
    return (await resumeReplaced(tx, replaced, { actor, reason, now, graceMs: graceMs() })) ? 'resumed' : left
  }

  return {
    async voidByHand(target) {
      const { accountId, actor, reason } = target
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const { payment, current } = await requireRecorded(tx, target)
        const voided = await cancelRecord(tx, payment, target, now)
        const left = await undoTerm(tx, { payment: voided, current, actor, reason, now })
        await tellOwedCredit(tx, alarms, payment, voided)
        const { id: paymentId, receiptNumber, amount } = payment
        const after = { membership: typeof left === 'string' ? left : 'ends sooner' }
        const details = { receiptNumber, reason, before: { amount, reference: handWords(payment.reference) }, after }
        await writeAudit(tx, { actor, action: 'payment.voided', subjectId: accountId, details }, now)
        await addToOutbox(
          tx,
          { kind: 'letter.receipt_canceled', payload: { paymentId }, dedupeKey: `receipt-canceled:${paymentId}` },
          now,
        )
      })
      wakeOutbox()
    },

    async correctByHand(target, { levelKey, method, reference, amount, paidAt }) {
      const { accountId, actor, reason } = target
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const { payment, current } = await requireRecorded(tx, target)
        const voided = await cancelRecord(tx, payment, target, now)
        const known = referenceByHand(accountId, method, reference)
        const other = await findPaymentByReference(tx, known)
        if (other) throw fieldProblem('reference', `This is recorded already, with receipt ${other.receiptNumber}`)
        const level = await findLevel(tx, levelKey)
        if (!level) throw fieldProblem('levelKey', 'Please choose a level')
        const began = payment.activatedAt ?? payment.recordedAt
        let term: Pick<Payment, 'purpose' | 'periodEndsAt' | 'activatedAt'> = {
          purpose: payment.purpose,
          periodEndsAt: payment.periodEndsAt,
          activatedAt: began,
        }
        // Of an earlier year, or of another membership by now: only the books are corrected.
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
        if (after) await tellOwedCredit(tx, alarms, payment, after)
        const words = handWords(payment.reference)
        const details = {
          reason,
          before: {
            receiptNumber: payment.receiptNumber,
            paid: words,
            amount: payment.amount,
            paidAt: payment.paidAt,
            level: payment.levelKey,
          },
          after: { receiptNumber: replacement.receiptNumber, paid: handWords(known), amount, paidAt, level: levelKey },
        }
        await writeAudit(tx, { actor, action: 'payment.corrected', subjectId: accountId, details }, now)
        await addToOutbox(tx, { kind: 'letter.receipt', payload: { paymentId: id }, dedupeKey: `receipt:${id}` }, now)
      })
      wakeOutbox()
    },
  }
}
