import type { AppContext } from '#server/app-context.ts'
import { forEachCollectingErrors } from '#server/jobs/for-each-collecting-errors.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { verifyRsvpPayment } from '#contract/public/rsvp.ts'
import type { Tx } from '#server/db/database.ts'
import { PaymentProviderError, type CheckoutSnapshot } from '#server/stripe/payment-gateway.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { sendSeatReceipt } from './rsvp-money.emails.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { equalSecrets, hashToken } from '#server/lib/secrets.ts'
import { expireSession } from '#server/features/orders/expire-session.service.ts'
import { receiptNumber } from '#server/features/memberships/payments/payment.queries.ts'
import { eventSpan } from '#server/features/content-store/event-times.rules.ts'
import { lockRsvpSettings } from '../rsvp-settings.repository.ts'
import {
  closeRsvpOrder,
  findRsvpOrder,
  findRsvpOrderBySession,
  listPendingRsvpOrders,
  markRsvpOrderOpen,
  markRsvpOrderChecked,
} from './rsvp-order.commands.ts'
import {
  findOpenRsvpOrder,
  listExpiredRsvpOrders,
  listOpenRsvpOrders,
  markRsvpOrderPaid,
} from './rsvp-order.repository.ts'
import { type RsvpOrder } from './rsvp-order.queries.ts'
import { paymentOutcome } from './rsvp-price.rules.ts'
import { queueRefund } from './rsvp-refunds.service.ts'
import { listEventsWithExpiredHolds, releaseExpiredHolds } from '../requests/rsvp-request.repository.ts'
import {
  setAgreedPrices,
  changeParty,
  countTakenSeats,
  findRsvp,
  findRsvpByEmail,
  insertRsvp,
  listOverdueRsvps,
  setRsvpStatus,
  type Rsvp,
} from '../rsvp.repository.ts'
import { queueRsvpEmail, type Waitlist } from './waitlist.service.ts'

export type RsvpOrderOutcome = 'paid' | 'open' | 'expired' | 'foreign'

const MINUTE_MS = 60_000
const BATCH = 50

export function createRsvpCompletionService(
  { db, clock, log, gateway, alerts, timeZone, wakeOutbox, cache }: AppContext,
  {
    waitlist,
  }: {
    waitlist: Waitlist
  },
) {
  /** Promotes the waitlist unless the event has started. */
  async function promote(tx: Tx, eventId: string, now: number): Promise<void> {
    const settings = await lockRsvpSettings(tx, eventId)
    const event = cache.content().events.get(eventId)
    const startsAt = event ? eventSpan(event, timeZone).startsAt : null
    if (settings && startsAt !== null && now < startsAt) await waitlist.promote(tx, settings, now)
  }

  /** Gives a party its seats. Returns the id of its RSVP. */
  async function giveSeats(tx: Tx, order: RsvpOrder, existing: Rsvp | null, now: number): Promise<string> {
    const { ownPrice, guestPrice, eventId, email } = order
    if (!existing) {
      const id = newId(now)
      const prices = { ownPrice, guestPrice }
      const rsvp = { ...prices, id, eventId, email, name: order.name, guests: order.guests, meals: order.meals }
      await insertRsvp(tx, { ...rsvp, status: 'coming', isWalkIn: false }, now)
      await queueRsvpEmail(tx, id, 'said', now)
      return id
    }
    const wasComing = existing.status === 'coming'
    await changeParty(tx, existing.id, order, now)
    if (!wasComing) {
      await setAgreedPrices(tx, existing.id, { ownPrice, guestPrice })
      await setRsvpStatus(tx, existing.id, {
        status: 'coming',
        now,
        ...(existing.status === 'cancelled' && { askedAt: now }),
      })
    }
    await queueRsvpEmail(tx, existing.id, wasComing ? 'changed' : 'said', now)
    return existing.id
  }

  async function markPaid(id: string, checkout: CheckoutSnapshot): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const now = clock.now()
      const before = await findRsvpOrder(tx, id)
      // This row lock serializes seat allocation for the event.
      const settings = before && (await lockRsvpSettings(tx, before.eventId))
      const order = await findRsvpOrder(tx, id)
      if (!settings || !order || order.state === 'paid') return
      const { eventId, rsvpId, email } = order
      const existing = rsvpId === null ? await findRsvpByEmail(tx, eventId, email) : await findRsvp(tx, rsvpId)
      const isHolding = order.state === 'creating' || order.state === 'open'
      const taken = await countTakenSeats(tx, eventId, now)
      const { capacity, calledOff } = settings
      const outcome = paymentOutcome({ ...order, isHolding }, existing, {
        capacity,
        taken,
        isCalledOff: calledOff !== null,
      })
      const isSeated = outcome === 'seated'
      const paidAt = checkout.paidAt ?? now
      const isFirst = await markRsvpOrderPaid(tx, id, {
        stripeSessionId: checkout.sessionId,
        paymentReference: checkout.paymentIntentId,
        paidAt,
        receiptNumber: receiptNumber(id, paidAt, () => dayOf(paidAt, timeZone).slice(0, 4)),
        rsvpId: isSeated ? await giveSeats(tx, order, existing, now) : (existing?.id ?? null),
        isSeated,
        now,
      })
      if (!isFirst) return
      const details = { amount: order.amount, outcome }
      await writeAudit(tx, { actor: 'guest', action: 'rsvp-payment.paid', subjectId: id, details }, now)
      if (outcome === 'seated') {
        const dedupeKey = `rsvp-receipt:${id}`
        await addToOutbox(tx, { effect: sendSeatReceipt, payload: { id }, dedupeKey }, now)
      } else {
        await queueRefund(tx, { orderId: id, amount: order.amount }, { reason: outcome, askedBy: 'system' }, now)
      }
      // Seats held for the same address from the waitlist are free again.
      await promote(tx, eventId, now)
    })
    wakeOutbox()
  }

  async function giveUp({ id, eventId }: Pick<RsvpOrder, 'id' | 'eventId'>, state: 'expired' | 'failed') {
    await db.transaction().execute(async (tx) => {
      await lockRsvpSettings(tx, eventId)
      await closeRsvpOrder(tx, id, state)
      await promote(tx, eventId, clock.now())
    })
    wakeOutbox()
  }

  /**
   * Marks seats as paid; no other function does. Idempotent: the webhook, the return page and the reconciler may call it concurrently, repeatedly and
   * in any order. If the seats are gone, the payment is refunded.
   */
  async function completeFrom(checkout: CheckoutSnapshot): Promise<RsvpOrderOutcome> {
    const order = checkout.checkoutId ? await findRsvpOrder(db, checkout.checkoutId) : null
    if (!order) return 'foreign'
    if (checkout.isPaid) {
      const isOther = order.state === 'paid' && order.stripeSessionId !== checkout.sessionId
      if (isOther || checkout.amountTotal !== order.amount || checkout.currency !== order.currency) {
        const { id, amount } = order
        const session = checkout.sessionId
        await alerts.raise('payment-mismatch', { seats: id, session, ordered: amount, paid: checkout.amountTotal })
        return order.state === 'paid' ? 'paid' : 'open'
      }
      if (order.state !== 'paid') await markPaid(order.id, checkout)
      return 'paid'
    }
    if (order.state === 'paid') return 'paid'
    if (checkout.state === 'expired') {
      await giveUp(order, 'expired')
      return 'expired'
    }
    await markRsvpOrderChecked(db, order.id, clock.now())
    return 'open'
  }

  async function processSession(sessionId: string): Promise<RsvpOrderOutcome> {
    const checkout = await gateway.readCheckout(sessionId)
    return checkout ? completeFrom(checkout) : 'foreign'
  }

  async function end(order: Pick<RsvpOrder, 'stripeSessionId'> | null): Promise<void> {
    // No session yet: the request creating it will find the order closed and expire the session.
    if (order?.stripeSessionId)
      await expireSession(order.stripeSessionId, { gateway, log, completions: { completeFrom } })
  }

  async function check(order: RsvpOrder): Promise<void> {
    const now = clock.now()
    await markRsvpOrderChecked(db, order.id, now)
    if (order.stripeSessionId) {
      const completion = await processSession(order.stripeSessionId)
      if (completion === 'paid') log.info({ seats: order.id }, 'payment for seats repaired')
      if (completion === 'foreign') await giveUp(order, 'failed')
      return
    }
    const found = await gateway.findCheckout({ checkoutId: order.id, createdAt: order.createdAt })
    if (!found) return giveUp(order, 'failed')
    const { sessionId: stripeSessionId, url } = found
    if (await markRsvpOrderOpen(db, order.id, { stripeSessionId, url, now })) await processSession(stripeSessionId)
    else await end({ stripeSessionId })
  }

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
      await promote(tx, eventId, now)
    })
  }

  return {
    completeFrom,
    /** Releases the seats of an unpaid order to the waitlist. */
    release: giveUp,
    /** Expires the provider's page of an order that was closed here. If it was paid anyway, the payment is processed. */
    expireSession: end,
    check,
    /** For the reconciler: orders last checked before `before`, and how to check each. */
    listPending: (before: number, limit: number): Promise<RsvpOrder[]> => listPendingRsvpOrders(db, before, limit),

    /** Checks a payment for the return page. @throws Problem PAYMENT_LINK_INVALID, PAYMENT_CHECK_FAILED */
    async verify({
      session_id: sessionId,
      nonce,
    }: {
      session_id: string
      nonce: string
    }): Promise<ReplyOf<typeof verifyRsvpPayment>['outcome']> {
      const order = await findRsvpOrderBySession(db, sessionId)
      if (!order || !equalSecrets(hashToken(nonce), order.nonceHash)) throw new Problem('PAYMENT_LINK_INVALID')
      try {
        if (order.state !== 'paid') await processSession(sessionId)
      } catch (error) {
        log.warn({ reason: String((error as Error).message) }, 'payment could not be checked')
        throw error instanceof PaymentProviderError ? new Problem('PAYMENT_CHECK_FAILED') : error
      }
      const { state, isSeated, rsvpId } = (await findRsvpOrder(db, order.id)) ?? order
      if (state === 'creating' || state === 'open') return 'open'
      if (state !== 'paid') return 'ended'
      // Only the owner of the address learns, by email, that it already had seats.
      const rsvp = rsvpId === null ? null : await findRsvp(db, rsvpId)
      return isSeated || rsvp?.status === 'coming' ? 'paid' : 'returned'
    },

    /** The guest left the payment page: closes it and releases the seats immediately. @throws Problem PAYMENT_LINK_INVALID */
    async abandon({ order: id, nonce }: { order: string; nonce: string }): Promise<{ eventId: string }> {
      const order = await findRsvpOrder(db, id)
      if (!order || !equalSecrets(hashToken(nonce), order.nonceHash)) throw new Problem('PAYMENT_LINK_INVALID')
      if (order.state === 'creating' || order.state === 'open') {
        await giveUp(order, 'failed')
        await end(order)
      }
      return { eventId: order.eventId }
    },

    /** Every minute: handles expired sessions, parties from the waitlist that did not pay in time, and expired holds. */
    job: {
      name: 'rsvp-payments',
      everyMs: MINUTE_MS,
      async run() {
        const now = clock.now()
        for (const order of await listExpiredRsvpOrders(db, now, BATCH)) {
          try {
            await check(order)
          } catch (error) {
            log.warn({ order: order.id, reason: String((error as Error).message) }, 'could not be completed')
            // An unresponsive provider would delay all other work by seconds per order; the next run continues.
            if (error instanceof PaymentProviderError && error.outcome === 'unknown') break
          }
        }
        await forEachCollectingErrors(await listOverdueRsvps(db, now), ({ id }) => `rsvp ${id}`, releaseUnpaid)
        const nameOf = (eventId: string) => `seats held for event ${eventId}`
        await forEachCollectingErrors(await listEventsWithExpiredHolds(db, now), nameOf, (eventId) =>
          db.transaction().execute(async (tx) => {
            await lockRsvpSettings(tx, eventId)
            await releaseExpiredHolds(tx, eventId, now)
            await promote(tx, eventId, now)
          }),
        )
        wakeOutbox()
      },
    } satisfies Job,
  }
}

export type RsvpCompletionService = ReturnType<typeof createRsvpCompletionService>
