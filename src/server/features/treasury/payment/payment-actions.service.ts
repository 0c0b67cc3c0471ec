import type { AppContext } from '#server/app-context.ts'
import type { cancelPayment, refundPaymentPart, replacePayment } from '#contract/console/money/payments.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Tx } from '#server/db/database.ts'
import type { PaymentKind } from '#server/db/schema/money-schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import type { OfficerAct } from '#server/features/officers/officer-acts.rules.ts'
import { endByOfficer } from '#server/features/memberships/payments/refunded-term.commands.ts'
import type { ManualPayments } from '#server/features/memberships/payments/manual-payment.service.ts'
import { askDuesRefund } from '#server/features/memberships/payments/ask-refund.commands.ts'
import { findPayment } from '#server/features/memberships/payments/payment.queries.ts'
import { requirePaidAt } from '#server/features/memberships/payments/paid-on.service.ts'
import type { OrderRefunds } from '#server/features/orders/payments/order-refunds.service.ts'
import { makeRefund, REFUND_RETRY_MS } from '#server/features/orders/payments/order-refund.effects.ts'
import type { OrderKind } from '#server/features/orders/order-kind.registry.ts'
import { insertRefund } from '#server/features/orders/payments/refund.commands.ts'
import type { RsvpMoneyService } from '#server/features/rsvps/orders/rsvp-money.service.ts'
import { retryFailedRefunds } from '#server/features/rsvps/orders/rsvp-refunds.service.ts'
import type { ManualOrderCorrections } from './manual-order-corrections.service.ts'
import { recordRefundByHand } from './refund-by-hand.service.ts'
import type { PaymentPageService } from './payment-page.service.ts'
import { mostRefundable } from './payment-refund.rules.ts'
import { findReceivedPayment } from './received-payment.service.ts'
import type { ReceivedPayment } from './payment-refund.rules.ts'

/** What officers do to a payment, whatever it is for. Each throws Problem NOT_FOUND, OWN_ACCOUNT and CHANGED_MEANWHILE, and writes to the audit log. */
export function createPaymentActions(
  { db, clock, wakeOutbox }: AppContext,
  {
    guard,
    page,
    refunds,
    rsvpMoney,
    manualPayments,
    corrections,
    kinds,
  }: {
    guard: ActAuthorizer
    page: PaymentPageService
    refunds: OrderRefunds
    rsvpMoney: RsvpMoneyService
    manualPayments: ManualPayments
    corrections: ManualOrderCorrections
    kinds: readonly OrderKind[]
  },
) {
  /** Locks what the payment belongs to and checks that the officer may act on its payer. */
  async function lock(tx: Tx, by: Officer, act: OfficerAct, kind: PaymentKind, id: string): Promise<ReceivedPayment> {
    const known = await findReceivedPayment(tx, kind, id)
    if (!known) throw new Problem('NOT_FOUND')
    if (known.eventId !== null) await rsvpMoney.lockEvent(tx, known.eventId)
    if (known.accountId !== null) await lockAccount(tx, known.accountId)
    // An update takes the row's lock, for a payment without an account or event.
    if (kind === 'sponsorship') await tx.updateTable('sponsorship').set({ id }).where('id', '=', id).execute()
    const payer = known.accountId ?? (await findAccountByEmail(tx, known.email))?.id
    if (payer !== undefined) await guard.require(tx, { act, by: by.accountId, on: payer })
    return known
  }

  /** Requests a refund to the card, in the transaction of the decision. Returns its id. */
  async function askCard(
    tx: Tx,
    by: Officer,
    { id: paymentId, kind, receiptNumber }: ReceivedPayment,
    { amount, reason }: { amount: number; reason: string },
  ): Promise<string> {
    const now = clock.now()
    if (kind === 'dues') {
      const dues = await findPayment(tx, paymentId)
      if (!dues) throw new Problem('NOT_FOUND')
      return askDuesRefund(tx, dues, { by: by.accountId, amount, reason, now })
    }
    const refund = { kind, paymentId, amount, reason: 'officer', note: reason, askedBy: by.accountId } as const
    const refundId = await insertRefund(tx, refund, now)
    const dueAt = now + REFUND_RETRY_MS
    await addToOutbox(tx, { effect: makeRefund, payload: { refundId }, dedupeKey: `refund:${refundId}`, dueAt }, now)
    const details = { reason, receiptNumber, amount }
    await writeAudit(tx, { actor: by.accountId, action: ASKED[kind], subjectId: paymentId, details }, now)
    return refundId
  }

  return {
    /**
     * Refunds a part or all of a payment: to the card, or as a record of what was returned by hand. A membership ends with its full refund, and with a part only
     * if the officer says so; a party keeps its seats with a part.
     * @throws Problem NOT_REFUNDABLE, INVALID_INPUT, PROVIDER_FAILED
     */
    async refund(
      by: Officer,
      kind: PaymentKind,
      id: string,
      { amount, reason, keepsSeats, endsMembership, method, reference, version }: BodyOf<typeof refundPaymentPart>,
    ): Promise<void> {
      const refundId = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        await lock(tx, by, kind === 'seats' ? 'refundRsvpOrder' : 'refundPayment', kind, id)
        const { payment, consequences } = await page.requireSeen(tx, kind, id, version)
        if (payment.failed > 0) {
          if (amount !== payment.failed)
            throw fieldProblem('amount', 'A refund failed at the bank. Make that one again first.')
          await retryFailedRefunds(tx, id, { askedBy: by.accountId, note: reason }, now)
          return null
        }
        const { most, refusal } = mostRefundable(payment)
        if (refusal !== null) throw new Problem('NOT_REFUNDABLE', { message: refusal })
        if (amount > most) throw fieldProblem('amount', 'This is more than is left of the payment')
        if (payment.byHand !== null && method === undefined)
          throw fieldProblem('method', 'Please choose how it was refunded')
        const isAll = amount === payment.amount - payment.amountRefunded - (payment.hasCard ? payment.refunding : 0)
        const asked =
          payment.byHand === null
            ? await askCard(tx, by, payment, { amount, reason })
            : await recordRefundByHand(
                tx,
                payment,
                { by: by.accountId, amount, reason, method: method ?? 'other', reference, now },
                kinds,
              )
        const { rsvpId, eventId } = payment
        if (isAll && consequences.asksSeats && rsvpId !== null && eventId !== null)
          await rsvpMoney.keepOrReleaseSeats(tx, { rsvpId, eventId }, { keepsSeats, actor: by.accountId, now })
        if (!isAll && endsMembership && consequences.mayEnd && payment.accountId !== null)
          await endByOfficer(tx, payment.accountId, { actor: by.accountId, reason, endedAt: now, now })
        return asked
      })
      wakeOutbox()
      if (refundId !== null) await refunds.makeNow(refundId)
    },

    /** Cancels the record of a payment by hand. @throws Problem NOT_BY_HAND */
    async cancel(
      by: Officer,
      kind: PaymentKind,
      id: string,
      { reason, keepsSeats, version }: BodyOf<typeof cancelPayment>,
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await lock(tx, by, 'voidPayment', kind, id)
        const { payment } = await page.requireSeen(tx, kind, id, version)
        if (payment.byHand === null) throw new Problem('NOT_BY_HAND')
        const target = { paymentId: id, actor: by.accountId, reason }
        if (payment.kind === 'dues')
          await manualPayments.voidWithin(tx, { ...target, accountId: payment.accountId ?? '', version: null })
        else await corrections.cancel(tx, payment, { ...target, keepsSeats })
      })
      wakeOutbox()
    },

    /** Cancels the record and writes a corrected one. @throws Problem NOT_BY_HAND, INVALID_INPUT */
    async replace(
      by: Officer,
      kind: PaymentKind,
      id: string,
      { method, reference, amount, paidOn, reason, version }: BodyOf<typeof replacePayment>,
    ): Promise<void> {
      const paidAt = requirePaidAt(paidOn, clock.now())
      await db.transaction().execute(async (tx) => {
        await lock(tx, by, 'correctPayment', kind, id)
        const { payment } = await page.requireSeen(tx, kind, id, version)
        if (payment.byHand === null) throw new Problem('NOT_BY_HAND')
        const target = { paymentId: id, actor: by.accountId, reason }
        const paid = { method, reference, amount, paidAt }
        if (payment.kind === 'dues') {
          const levelKey = (await findPayment(tx, id))?.levelKey ?? ''
          await manualPayments.correctWithin(
            tx,
            { ...target, accountId: payment.accountId ?? '', version: null },
            { ...paid, levelKey },
          )
        } else await corrections.replace(tx, payment, target, paid)
      })
      wakeOutbox()
    },
  }
}

export type PaymentActions = ReturnType<typeof createPaymentActions>

const ASKED = {
  seats: 'rsvp-payment.refund_asked',
  sponsorship: 'sponsorship.refund_asked',
} as const
