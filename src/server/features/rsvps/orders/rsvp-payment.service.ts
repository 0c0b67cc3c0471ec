import type { AppContext } from '#server/app-context.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { abandonRsvpPayment, verifyRsvpPayment } from '#contract/public/rsvp.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { forEachCollectingErrors } from '#server/jobs/for-each-collecting-errors.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import type { OrderKind } from '#server/features/orders/order-kind.registry.ts'
import { isPending } from '#server/features/orders/order.queries.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import { listEventsWithExpiredHolds, releaseExpiredHolds } from '../requests/rsvp-request.repository.ts'
import { lockRsvpSettings } from '../rsvp-settings.repository.ts'
import { findRsvp, listOverdueRsvps, setRsvpStatus, type Rsvp } from '../rsvp.repository.ts'
import { findRsvpOrder } from './rsvp-order.commands.ts'
import type { RsvpOrder } from './rsvp-order.queries.ts'
import { findOpenRsvpOrder, listExpiredRsvpOrders, listOpenRsvpOrders } from './rsvp-order.repository.ts'
import { queueRsvpEmail, type Waitlist } from './waitlist.service.ts'

const MINUTE_MS = 60_000
const BATCH = 50

/** The guest's return from the payment page, and seats whose payment did not come. */
export function createRsvpPayments(
  { db, clock, log, wakeOutbox }: AppContext,
  { orders, kind, waitlist }: { orders: Orders; kind: OrderKind<RsvpOrder>; waitlist: Waitlist },
) {
  /** Releases the seats of a party that did not pay in time, unless it is paying right now. */
  async function releaseUnpaid({ id, eventId }: Rsvp): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const now = clock.now()
      await lockRsvpSettings(tx, eventId)
      const rsvp = await findRsvp(tx, id)
      if (rsvp?.status !== 'paying' || rsvp.payBy === null || rsvp.payBy > now) return
      const { email } = rsvp
      // The guest's address may have changed since the order was created.
      if ((await listOpenRsvpOrders(tx, eventId)).some(({ rsvpId }) => rsvpId === id)) return
      if (email !== null && (await findOpenRsvpOrder(tx, { eventId, email }))) return
      await setRsvpStatus(tx, id, { status: 'cancelled', now })
      await queueRsvpEmail(tx, id, 'lapsed', now)
      const details = { before: { place: 'paying', guests: rsvp.guests }, after: { place: 'cancelled' } }
      await writeAudit(tx, { actor: 'system', action: 'rsvp.lapsed', subjectId: id, details }, now)
      await waitlist.promoteIfUpcoming(tx, eventId, now)
    })
  }

  async function checkExpiredOrders(now: number): Promise<void> {
    for (const order of await listExpiredRsvpOrders(db, now, BATCH)) {
      try {
        if ((await orders.check(kind, order)) === 'paid') log.info({ seats: order.id }, 'payment for seats repaired')
      } catch (error) {
        log.warn({ order: order.id, reason: String((error as Error).message) }, 'could not be completed')
        // An unresponsive provider would delay all other work by seconds per order; the next run continues.
        if (error instanceof PaymentProviderError && error.outcome === 'unknown') break
      }
    }
  }

  /** Every minute: handles expired sessions, parties from the waitlist that did not pay in time, and expired holds. */
  const job: Job = {
    name: 'rsvp-payments',
    everyMs: MINUTE_MS,
    async run() {
      const now = clock.now()
      await checkExpiredOrders(now)
      await forEachCollectingErrors(await listOverdueRsvps(db, now), ({ id }) => `rsvp ${id}`, releaseUnpaid)
      const nameOf = (eventId: string) => `seats held for event ${eventId}`
      await forEachCollectingErrors(await listEventsWithExpiredHolds(db, now), nameOf, (eventId) =>
        db.transaction().execute(async (tx) => {
          await lockRsvpSettings(tx, eventId)
          await releaseExpiredHolds(tx, eventId, now)
          await waitlist.promoteIfUpcoming(tx, eventId, now)
        }),
      )
      wakeOutbox()
    },
  }

  return {
    /** Checks a payment for the return page. @throws Problem PAYMENT_LINK_INVALID, PAYMENT_CHECK_FAILED */
    async verify(query: { session_id: string; nonce: string }): Promise<ReplyOf<typeof verifyRsvpPayment>> {
      const { order } = await orders.verify(query, kind)
      const seats = await findRsvpOrder(db, order.id)
      if (!seats) throw new Problem('PAYMENT_LINK_INVALID')
      const { eventId } = seats
      if (isPending(order)) return { outcome: 'open', eventId }
      if (seats.state !== 'paid') return { outcome: 'ended', eventId }
      // Only the owner of the address learns, by email, that it already had seats.
      const rsvp = seats.rsvpId === null ? null : await findRsvp(db, seats.rsvpId)
      return { outcome: seats.isSeated || rsvp?.status === 'coming' ? 'paid' : 'returned', eventId }
    },

    /** The guest left the payment page: closes it and releases the seats immediately. @throws Problem PAYMENT_LINK_INVALID */
    async abandon(query: { order: string; nonce: string }): Promise<ReplyOf<typeof abandonRsvpPayment>> {
      const { eventId } = await orders.abandon(kind, query)
      return { eventId }
    },

    job,
  }
}

export type RsvpPayments = ReturnType<typeof createRsvpPayments>
