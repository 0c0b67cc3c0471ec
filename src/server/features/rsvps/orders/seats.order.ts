import type { AppContext } from '#server/app-context.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import type { OrderKind } from '#server/features/orders/order-kind.registry.ts'
import { createOrderPayments } from '#server/features/orders/order-payments.service.ts'
import { isPending } from '#server/features/orders/order.queries.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import { lockRsvpSettings } from '../rsvp-settings.repository.ts'
import { countTakenSeats, findRsvp, findRsvpByEmail } from '../rsvp.repository.ts'
import { hasTicketsLeft } from '../tickets/ticket-counts.repository.ts'
import { giveSeats } from './give-seats.service.ts'
import { sendSeatReceipt, sendSeatRefund, sendSeatRefundFailed } from './rsvp-money.emails.ts'
import { rsvpOrders } from './rsvp-order.commands.ts'
import type { RsvpOrder } from './rsvp-order.queries.ts'
import { findOpenRsvpOrder, recordSeatPayment } from './rsvp-order.repository.ts'
import { paymentOutcome } from './rsvp-price.rules.ts'
import { queueRefund } from './rsvp-refunds.service.ts'
import type { Waitlist } from './waitlist.service.ts'

/** The provider's minimum session length, plus a minute for the request. */
const SESSION_MS = 31 * 60_000
const HOUR_MS = 3_600_000

/** Seats at an event, held during the payment. If they are gone when it arrives, it is refunded. */
export function createSeatsOrder(ctx: AppContext, { waitlist }: { waitlist: Waitlist }): OrderKind<RsvpOrder> {
  const { gateway, siteUrl, yearOf } = ctx

  return {
    key: 'rsvp',
    name: 'seats',
    orders: rsvpOrders,
    payments: createOrderPayments(ctx, {
      kind: 'seats',
      table: 'rsvpOrder',
      name: 'payment',
      action: 'rsvp-payment.returned',
      onRefundMade: (tx, { id }, now) => addToOutbox(tx, { effect: sendSeatRefund, payload: { id } }, now),
      // A stale read can look like a failed refund. It is corrected within the hour, and the delayed email is then dropped.
      async onRefundReversed(tx, id, now) {
        const dedupeKey = `rsvp-refund-failed:${id}:${Math.floor(now / HOUR_MS)}`
        await addToOutbox(tx, { effect: sendSeatRefundFailed, payload: { id }, dedupeKey, dueAt: now + HOUR_MS }, now)
      },
    }),
    sessionMs: SESSION_MS,
    hasOwnReturnPage: true,
    failure: () =>
      new Problem('CHECKOUT_FAILED', {
        message: 'Our card provider is not responding. Nothing was charged. Please try again in a minute.',
      }),

    createPage({ title, lines, currency, email, expiresAt }, { nonce, ...page }) {
      return gateway.createOneTimeCheckout({
        ...page,
        description: `Seats: ${title}`,
        lines: lines.map((line) => ({ ...line, name: `${line.name}: ${title}` })),
        currency,
        email,
        successUrl: `${siteUrl}/rsvp?session_id={CHECKOUT_SESSION_ID}&nonce=${nonce}`,
        cancelUrl: `${siteUrl}/rsvp?${new URLSearchParams({ order: page.checkoutId, nonce })}`,
        expiresAt,
      })
    },

    /** This row lock serializes seat allocation for the event. */
    lock: async (tx, { eventId }) => void (await lockRsvpSettings(tx, eventId)),

    async onPaid(tx, order, { checkout: { paymentIntentId }, paidAt, now }) {
      const { id, eventId, rsvpId, email, amount } = order
      const settings = await lockRsvpSettings(tx, eventId)
      const existing = rsvpId === null ? await findRsvpByEmail(tx, eventId, email) : await findRsvp(tx, rsvpId)
      // A page about to expire may be paid after it was replaced: the seats that the new one holds are this guest's.
      const replacement = await findOpenRsvpOrder(tx, { eventId, email })
      const isOffered = existing?.status === 'paying'
      const hasTickets =
        settings === null ||
        (await hasTicketsLeft(
          tx,
          settings,
          { tickets: order.tickets, before: order.baseTickets },
          { now, orderId: replacement?.id ?? id, rsvpId: isOffered ? existing.id : undefined },
        ))
      const outcome = paymentOutcome({ ...order, isHolding: isPending(order) }, existing, {
        capacity: settings?.capacity ?? null,
        taken: (await countTakenSeats(tx, eventId, now)) - (replacement?.seats ?? 0),
        hasTickets,
        isCalledOff: settings?.calledOff !== null,
      })
      const isSeated = outcome === 'seated'
      if (isSeated && replacement) await rsvpOrders.close(tx, replacement.id, 'failed')
      await recordSeatPayment(
        tx,
        id,
        {
          paymentReference: paymentIntentId,
          receiptNumber: receiptNumber(id, paidAt, yearOf),
          rsvpId: isSeated ? await giveSeats(tx, order, existing, { now }) : (existing?.id ?? null),
          isSeated,
        },
        now,
      )
      await writeAudit(
        tx,
        { actor: 'guest', action: 'rsvp-payment.paid', subjectId: id, details: { amount, outcome } },
        now,
      )
      if (isSeated) {
        await addToOutbox(tx, { effect: sendSeatReceipt, payload: { id }, dedupeKey: `rsvp-receipt:${id}` }, now)
      } else await queueRefund(tx, { orderId: id, amount }, { reason: outcome, askedBy: 'system' }, now)
      // Seats held for the same address from the waitlist are free again.
      await waitlist.promoteIfUpcoming(tx, eventId, now)
      return 'paid'
    },

    onClosed: (tx, { eventId }, now) => waitlist.promoteIfUpcoming(tx, eventId, now),
  }
}
