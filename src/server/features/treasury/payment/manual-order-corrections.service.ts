import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import {
  describeManualPayment,
  manualReference,
  type ManualPayment,
} from '#server/features/orders/payments/manual-payment.rules.ts'
import { manualOrder, orderPaymentCommands } from '#server/features/orders/order-payment.commands.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import { sendSeatReceipt } from '#server/features/rsvps/orders/rsvp-money.emails.ts'
import type { RsvpMoneyService } from '#server/features/rsvps/orders/rsvp-money.service.ts'
import { sendSponsorThanks } from '#server/features/sponsors/sponsors.emails.ts'
import { sendOrderReceiptCanceled } from './order-receipt.emails.ts'
import { TABLES } from './received-payment.service.ts'
import type { ReceivedPayment } from './payment-refund.rules.ts'

interface Correction {
  /** The officer's account. */
  actor: string
  reason: string
}

const ACTIONS = {
  seats: { cancel: 'rsvp-payment.voided', replace: 'rsvp-payment.corrected' },
  sponsorship: { cancel: 'sponsorship.voided', replace: 'sponsorship.corrected' },
} as const

/** Corrections of payments by hand for seats and sponsorships. The account or event is locked, and the payment was read since. */
export function createManualOrderCorrections(
  { clock, yearOf }: AppContext,
  { rsvpMoney }: { rsvpMoney: RsvpMoneyService },
) {
  /** @throws Problem CHANGED_MEANWHILE if it was voided */
  async function voidRecord(tx: Tx, payment: ReceivedPayment, { actor: by, reason }: Correction, now: number) {
    const { manualReference: reference } = payment
    const { kind } = payment
    if (kind === 'dues' || reference === null) throw new Problem('NOT_BY_HAND')
    const payments = orderPaymentCommands(TABLES[kind], kind)
    const isVoided = await payments.void(tx, { ...payment, manualReference: reference }, { by, reason, now })
    if (!isVoided) throw new Problem('CHANGED_MEANWHILE')
    // Refunds that were due are void with it.
    await tx
      .updateTable('refund')
      .set({ refusedAt: now })
      .where('paymentId', '=', payment.id)
      .where('doneAt', 'is', null)
      .execute()
    return { kind, payments, reference }
  }

  const summaryOf = ({ receiptNumber: receipt, amount, paidAt, byHand }: ReceivedPayment) => ({
    receiptNumber: receipt,
    paid: byHand,
    amount,
    paidAt,
  })

  return {
    /** Voids it: a sponsorship has no benefits that are still due, and a party loses its seats unless it keeps them. The payer is emailed. */
    async cancel(
      tx: Tx,
      payment: ReceivedPayment,
      { keepsSeats, ...correction }: Correction & { keepsSeats: boolean },
    ): Promise<void> {
      const now = clock.now()
      const { actor, reason } = correction
      const { kind } = await voidRecord(tx, payment, correction, now)
      const { rsvpId, eventId } = payment
      if (rsvpId !== null && eventId !== null)
        await rsvpMoney.keepOrReleaseSeats(tx, { rsvpId, eventId }, { keepsSeats, actor, now })
      const details = { reason, before: summaryOf(payment), after: null }
      await writeAudit(tx, { actor, action: ACTIONS[kind].cancel, subjectId: payment.id, details }, now)
      const payload = { kind, id: payment.id }
      await addToOutbox(
        tx,
        { effect: sendOrderReceiptCanceled, payload, dedupeKey: `receipt-canceled:${payment.id}` },
        now,
      )
    },

    /** Voids it and records it again, for the same seats or sponsorship. The new receipt is emailed. @throws Problem INVALID_INPUT */
    async replace(tx: Tx, payment: ReceivedPayment, correction: Correction, paid: ManualPayment): Promise<void> {
      const now = clock.now()
      const { actor, reason } = correction
      const { kind, payments, reference } = await voidRecord(tx, payment, correction, now)
      const payer = /^by-hand:([^:]*):/.exec(reference)?.[1] ?? ''
      const known = manualReference(payer, paid)
      const other = await payments.findManual(tx, known)
      if (other) throw fieldProblem('reference', `This is already recorded, with receipt ${other.receiptNumber}`)
      const id = newId(now)
      const number = receiptNumber(id, paid.paidAt, yearOf)
      const { amount, paidAt } = paid
      const order = manualOrder(
        {
          id,
          amount,
          currency: payment.currency,
          paidAt,
          receiptNumber: number,
          manualReference: known,
          replacesId: payment.id,
        },
        now,
      )
      if (kind === 'seats') {
        const before = await tx
          .selectFrom('rsvpOrder')
          .selectAll()
          .where('id', '=', payment.id)
          .executeTakeFirstOrThrow()
        const lines = amount === before.amount ? before.lines : JSON.stringify([{ name: 'Seats', amount, quantity: 1 }])
        await tx
          .insertInto('rsvpOrder')
          .values({ ...before, ...order, lines })
          .execute()
        await addToOutbox(tx, { effect: sendSeatReceipt, payload: { id }, dedupeKey: `rsvp-receipt:${id}` }, now)
      } else {
        const before = await tx
          .selectFrom('sponsorship')
          .selectAll()
          .where('id', '=', payment.id)
          .executeTakeFirstOrThrow()
        await tx
          .insertInto('sponsorship')
          .values({ ...before, ...order })
          .execute()
        await addToOutbox(tx, { effect: sendSponsorThanks, payload: { id }, dedupeKey: `sponsor-thanks:${id}` }, now)
      }
      await payments.enterManual(tx, order, now)
      const after = { receiptNumber: number, paid: describeManualPayment(known), amount, paidAt }
      await writeAudit(
        tx,
        {
          actor,
          action: ACTIONS[kind].replace,
          subjectId: payment.id,
          details: { reason, before: summaryOf(payment), after },
        },
        now,
      )
    },
  }
}

export type ManualOrderCorrections = ReturnType<typeof createManualOrderCorrections>
