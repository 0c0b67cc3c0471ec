import type { AppContext } from '#server/app-context.ts'
import type { ConsolePayment } from '#contract/console/money/payments.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import type { Db } from '#server/db/database.ts'
import type { PaymentKind } from '#server/db/schema/money-schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { consentVersion } from '#server/features/officers/approvals/approval-version.service.ts'
import { nameOfOfficer } from '#server/features/officers/approvals/approval.emails.ts'
import { METHOD_LABELS } from '#server/features/orders/payments/manual-payment.rules.ts'
import { listRefunds } from '#server/features/orders/payments/refund.queries.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import { hasRights, membershipStatus } from '#server/features/memberships/membership.rules.ts'
import { membershipVersion } from '#server/features/memberships/payments/manual-payment.rules.ts'
import { listPayments } from '#server/features/memberships/payments/payment.queries.ts'
import { previewRefund } from '#server/features/memberships/payments/refunded-term.commands.ts'
import { findParty } from '#server/features/rsvps/rsvp.queries.ts'
import { mostRefundable } from './payment-refund.rules.ts'
import { findReceivedPayment, findReplacementReceipt, paymentState, TABLES } from './received-payment.service.ts'
import type { ReceivedPayment } from './payment-refund.rules.ts'

const iso = (instant: number) => new Date(instant).toISOString()

type Consequences = Pick<ConsolePayment['refund'], 'ifPart' | 'ifAll' | 'asksSeats' | 'mayEnd'>

export function createPaymentPageService({ db, clock, timeZone, graceMs }: AppContext) {
  /** What refunding it would do to a membership. */
  async function ofDues(handle: Db, payment: ReceivedPayment): Promise<Consequences> {
    const now = clock.now()
    const membership = payment.accountId === null ? null : await findCurrentMembership(handle, payment.accountId)
    const isHeld = membership !== null && hasRights(membershipStatus(membership, now, graceMs()))
    const stays = {
      ifPart: 'The membership stays as it is.',
      ifAll: 'The membership stays as it is.',
      asksSeats: false,
      mayEnd: false,
    }
    if (!membership || !isHeld)
      return { ...stays, ifPart: 'There is no membership now.', ifAll: 'There is no membership now.' }
    const payments = (await listPayments(handle, membership.accountId)).map((one) =>
      one.id === payment.id ? { ...one, amountRefunded: one.amount } : one,
    )
    const effect = await previewRefund(handle, membership, { id: payment.id, payments, now })
    if (effect === 'untouched')
      return { ...stays, ifAll: 'The membership does not rest on this payment and stays as it is.' }
    if (effect === 'over')
      return { ...stays, ifAll: 'The membership rests on this payment: it ends at once.', mayEnd: true }
    return { ...stays, ifAll: `The membership then ends on ${formatLongDate(effect.endsAt, timeZone)}.`, mayEnd: true }
  }

  async function consequencesOf(handle: Db, payment: ReceivedPayment): Promise<Consequences> {
    if (payment.kind === 'dues') return ofDues(handle, payment)
    const none = { asksSeats: false, mayEnd: false }
    if (payment.kind === 'sponsorship')
      return {
        ...none,
        ifPart: 'The sponsor keeps all benefits.',
        ifAll: 'Benefits that were not delivered yet are no longer due.',
      }
    const rsvp = payment.rsvpId === null ? null : await findParty(handle, payment.rsvpId)
    if (rsvp?.status !== 'coming')
      return { ...none, ifPart: 'The party has no seats now.', ifAll: 'The party has no seats now.' }
    const seats = rsvp.guests === 0 ? 'its seat' : `its ${rsvp.guests + 1} seats`
    return {
      asksSeats: true,
      mayEnd: false,
      ifPart: `The party keeps ${seats}.`,
      ifAll: `The party loses ${seats}, unless you let it keep them.`,
    }
  }

  /** Changes with anything that a decision about the payment may rest on. */
  async function versionOf(handle: Db, payment: ReceivedPayment, consequences: Consequences): Promise<string> {
    const { amount, amountRefunded, refunding, dispute, voidedAt, credited, accountId } = payment
    const membership =
      accountId === null || payment.kind !== 'dues' ? null : await findCurrentMembership(handle, accountId)
    return consentVersion([
      JSON.stringify([amount, amountRefunded, refunding, dispute, voidedAt, credited]),
      membershipVersion(membership),
      JSON.stringify(consequences),
    ])
  }

  return {
    /** The payment as it is for a decision, in the transaction of the decision. @throws Problem NOT_FOUND, CHANGED_MEANWHILE */
    async requireSeen(handle: Db, kind: PaymentKind, id: string, version: string) {
      const payment = await findReceivedPayment(handle, kind, id)
      if (!payment) throw new Problem('NOT_FOUND')
      const consequences = await consequencesOf(handle, payment)
      if ((await versionOf(handle, payment, consequences)) !== version) throw new Problem('CHANGED_MEANWHILE')
      return { payment, consequences }
    },

    /** @throws Problem NOT_FOUND */
    async describe(by: Officer, kind: PaymentKind, id: string): Promise<ConsolePayment> {
      const payment = await findReceivedPayment(db, kind, id)
      if (!payment) throw new Problem('NOT_FOUND')
      const { name, email, accountId, what, receiptNumber, byHand, amount, amountRefunded, currency } = payment
      const consequences = await consequencesOf(db, payment)
      const entries = await db
        .selectFrom('ledgerEntry')
        .select(['type', 'at', 'amount', 'method'])
        .where('paymentId', '=', id)
        .orderBy('at')
        .orderBy('id')
        .execute()
      const replaced =
        payment.replacesId === null
          ? null
          : await db
              .selectFrom(TABLES[kind])
              .select('receiptNumber')
              .where('id', '=', payment.replacesId)
              .executeTakeFirst()
      const refunds = await Promise.all(
        (await listRefunds(db, id)).map(async (refund) => ({
          amount: refund.amount,
          at: iso(refund.doneAt ?? refund.askedAt),
          by: ['guest', 'system'].includes(refund.askedBy) ? 'The website' : await nameOfOfficer(db, refund.askedBy),
          note: refund.note,
          state:
            refund.refusedAt !== null
              ? ('refused' as const)
              : refund.doneAt === null
                ? ('pending' as const)
                : ('made' as const),
        })),
      )
      return {
        id,
        kind,
        name,
        email,
        accountId,
        what,
        receiptNumber,
        paidBy: byHand ?? (payment.hasCard ? 'Card' : amount === 0 ? 'Nothing to pay' : 'Card'),
        isByHand: byHand !== null,
        paidAt: iso(payment.paidAt),
        recordedAt: iso(payment.recordedAt),
        amount,
        amountRefunded,
        currency,
        state: paymentState(payment),
        canceled: payment.voidedAt === null ? null : { at: iso(payment.voidedAt), reason: payment.voidReason ?? '' },
        replaces: replaced?.receiptNumber ?? null,
        replacedBy: await findReplacementReceipt(db, kind, id),
        lines: entries.map(({ type, at, amount: change, method }) => ({
          type,
          at: iso(at),
          amount: change,
          paidBy: METHOD_LABELS[method],
        })),
        refunds,
        refund: { ...mostRefundable(payment), failed: payment.failed, ...consequences },
        mayCorrect: byHand !== null && payment.voidedAt === null,
        mayChange: by.permissions.includes('money.change'),
        version: await versionOf(db, payment, consequences),
      }
    },
  }
}

export type PaymentPageService = ReturnType<typeof createPaymentPageService>
