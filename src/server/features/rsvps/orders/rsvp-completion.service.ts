import { eachByItself } from '#server/platform/each-by-itself.ts'
import type { Kysely } from 'kysely'
import { dayOf } from '#contract/dates.ts'
import type { EventDetails } from '#contract/events.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { verifyRsvpPayment } from '#contract/rsvp.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { PaymentProviderError, type CheckoutFacts, type PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import type { Job } from '#server/platform/job-runner.ts'
import type { Log } from '#server/platform/logger.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { Problem } from '#server/platform/problem.ts'
import { equalSecrets, hashToken } from '#server/platform/secrets.ts'
import { endSession } from '../billing/end-session.ts'
import { receiptNumber } from '../membership/payment.repository.ts'
import { spanOf } from './event-times.rules.ts'
import { holdOffer } from './offer.repository.ts'
import {
  closeRsvpOrder,
  findOpenRsvpOrder,
  findRsvpOrder,
  findRsvpOrderBySession,
  listEndedRsvpOrders,
  listOpenRsvpOrders,
  listUnsettledRsvpOrders,
  markRsvpOrderOpen,
  markRsvpOrderPaid,
  touchRsvpOrder,
  type RsvpOrder,
} from './rsvp-order.repository.ts'
import { seatPaid } from './rsvp-price.rules.ts'
import { askRefund } from './rsvp-refunds.ts'
import { listEventsWithEndedHolds, releaseEndedHolds } from './rsvp-request.repository.ts'
import {
  agreePrices,
  changeParty,
  countTaken,
  findRsvp,
  findRsvpByEmail,
  insertRsvp,
  listLapsed,
  movePlace,
  type Rsvp,
} from './rsvp.repository.ts'
import { tellGuest, type Waitlist } from './waitlist.ts'

export type RsvpSettlement = 'paid' | 'open' | 'expired' | 'foreign'

export interface RsvpSettlementService {
  /**
   * Takes seats as paid: the one function that does. May be called by the webhook, the return page and the reconciler, in any order, at once and any
   * number of times: it acts once. Where the seats are gone meanwhile, the money goes back.
   */
  settleFrom(facts: CheckoutFacts): Promise<RsvpSettlement>
  /** What the return page asks. @throws Problem PAYMENT_LINK_INVALID, PAYMENT_CHECK_FAILED */
  verify(query: { session_id: string; nonce: string }): Promise<ReplyOf<typeof verifyRsvpPayment>['outcome']>
  /** Gives the seats of an order that is not paid to whoever waits. */
  giveUp(order: Pick<RsvpOrder, 'id' | 'eventId'>, state: 'expired' | 'failed'): Promise<void>
  /** Somebody went back from paying: the page is closed and the seats are free at once. @throws Problem PAYMENT_LINK_INVALID */
  giveUpBy(query: { order: string; nonce: string }): Promise<{ eventId: string }>
  /** Closes the provider's page of an order that was given up here; one that was paid all the same is settled. */
  end(order: Pick<RsvpOrder, 'stripeSessionId'> | null): Promise<void>
  /** For the reconciler: orders nothing was heard of since `before`, and what to do with each. */
  unsettled(before: number, limit: number): Promise<RsvpOrder[]>
  check(order: RsvpOrder): Promise<void>
  /** Every minute: pages that have ended, parties off the waitlist that did not pay in time, and seats nobody confirmed. */
  job: Job
}

const MINUTE_MS = 60_000
const BATCH = 50

export function createRsvpSettlementService({
  db,
  clock,
  log,
  gateway,
  alarms,
  timeZone,
  events,
  waitlist,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  gateway: PaymentGateway
  alarms: Alarms
  timeZone: string
  events(): ReadonlyMap<string, EventDetails>
  waitlist: Waitlist
  wakeOutbox(): void
}): RsvpSettlementService {
  /** Whoever waits moves up while the event is ahead. */
  async function promote(tx: Tx, eventId: string, now: number): Promise<void> {
    const held = await holdOffer(tx, eventId)
    const event = events().get(eventId)
    const startsAt = event ? spanOf(event, timeZone).startsAt : null
    if (held && startsAt !== null && now < startsAt) await waitlist.promote(tx, held, now)
  }

  /** Gives the party its seats. Answers its RSVP. */
  async function seat(tx: Tx, order: RsvpOrder, known: Rsvp | null, now: number): Promise<string> {
    const { ownPrice, guestPrice, eventId, email } = order
    if (!known) {
      const id = newId(now)
      const prices = { ownPrice, guestPrice }
      const rsvp = { ...prices, id, eventId, email, name: order.name, guests: order.guests, meals: order.meals }
      await insertRsvp(tx, { ...rsvp, place: 'coming', isWalkIn: false }, now)
      await tellGuest(tx, id, 'said', now)
      return id
    }
    const wasComing = known.place === 'coming'
    await changeParty(tx, known.id, order, now)
    if (!wasComing) {
      await agreePrices(tx, known.id, { ownPrice, guestPrice })
      await movePlace(tx, known.id, {
        place: 'coming',
        now,
        ...(known.place === 'cancelled' && { askedAt: now }),
      })
    }
    await tellGuest(tx, known.id, wasComing ? 'changed' : 'said', now)
    return known.id
  }

  async function markPaid(id: string, facts: CheckoutFacts): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const now = clock.now()
      const before = await findRsvpOrder(tx, id)
      // Whoever gives out seats of this event stands in line here.
      const held = before && (await holdOffer(tx, before.eventId))
      const order = await findRsvpOrder(tx, id)
      if (!held || !order || order.state === 'paid') return
      const { eventId, rsvpId, email } = order
      const known = rsvpId === null ? await findRsvpByEmail(tx, eventId, email) : await findRsvp(tx, rsvpId)
      const isHolding = order.state === 'creating' || order.state === 'open'
      const taken = await countTaken(tx, eventId, now)
      const { capacity, calledOff } = held
      const outcome = seatPaid({ ...order, isHolding }, known, { capacity, taken, isCalledOff: calledOff !== null })
      const isSeated = outcome === 'seated'
      const paidAt = facts.paidAt ?? now
      const isFirst = await markRsvpOrderPaid(tx, id, {
        stripeSessionId: facts.sessionId,
        paymentReference: facts.paymentIntentId,
        paidAt,
        receiptNumber: receiptNumber(id, paidAt, () => dayOf(paidAt, timeZone).slice(0, 4)),
        rsvpId: isSeated ? await seat(tx, order, known, now) : (known?.id ?? null),
        isSeated,
        now,
      })
      if (!isFirst) return
      const details = { amount: order.amount, outcome }
      await writeAudit(tx, { actor: 'guest', action: 'rsvp-payment.paid', subjectId: id, details }, now)
      if (outcome === 'seated') {
        const dedupeKey = `rsvp-receipt:${id}`
        await addToOutbox(tx, { kind: 'letter.rsvp_receipt', payload: { id }, dedupeKey }, now)
      } else {
        await askRefund(tx, { orderId: id, amount: order.amount }, { reason: outcome, askedBy: 'system' }, now)
      }
      // Seats that were kept for the same address off the waitlist are free again.
      await promote(tx, eventId, now)
    })
    wakeOutbox()
  }

  async function giveUp({ id, eventId }: Pick<RsvpOrder, 'id' | 'eventId'>, state: 'expired' | 'failed') {
    await db.transaction().execute(async (tx) => {
      await holdOffer(tx, eventId)
      await closeRsvpOrder(tx, id, state)
      await promote(tx, eventId, clock.now())
    })
    wakeOutbox()
  }

  async function settleFrom(facts: CheckoutFacts): Promise<RsvpSettlement> {
    const order = facts.checkoutId ? await findRsvpOrder(db, facts.checkoutId) : null
    if (!order) return 'foreign'
    if (facts.isPaid) {
      const isOther = order.state === 'paid' && order.stripeSessionId !== facts.sessionId
      if (isOther || facts.amountTotal !== order.amount || facts.currency !== order.currency) {
        const { id, amount } = order
        const session = facts.sessionId
        await alarms.raise('payment-mismatch', { seats: id, session, ordered: amount, paid: facts.amountTotal })
        return order.state === 'paid' ? 'paid' : 'open'
      }
      if (order.state !== 'paid') await markPaid(order.id, facts)
      return 'paid'
    }
    if (order.state === 'paid') return 'paid'
    if (facts.state === 'expired') {
      await giveUp(order, 'expired')
      return 'expired'
    }
    await touchRsvpOrder(db, order.id, clock.now())
    return 'open'
  }

  async function settle(sessionId: string): Promise<RsvpSettlement> {
    const facts = await gateway.readCheckout(sessionId)
    return facts ? settleFrom(facts) : 'foreign'
  }

  async function end(order: Pick<RsvpOrder, 'stripeSessionId'> | null): Promise<void> {
    // Without a session yet, whoever makes it ends it: the order does not take it any more.
    if (order?.stripeSessionId) await endSession(order.stripeSessionId, { gateway, log, settlements: { settleFrom } })
  }

  async function check(order: RsvpOrder): Promise<void> {
    const now = clock.now()
    await touchRsvpOrder(db, order.id, now)
    if (order.stripeSessionId) {
      const settlement = await settle(order.stripeSessionId)
      if (settlement === 'paid') log.info({ seats: order.id }, 'payment for seats repaired')
      if (settlement === 'foreign') await giveUp(order, 'failed')
      return
    }
    const found = await gateway.findCheckout({ checkoutId: order.id, createdAt: order.createdAt })
    if (!found) return giveUp(order, 'failed')
    const { sessionId: stripeSessionId, url } = found
    if (await markRsvpOrderOpen(db, order.id, { stripeSessionId, url, now })) await settle(stripeSessionId)
    else await end({ stripeSessionId })
  }

  /** The seats go to the next one, unless the party is paying just now. */
  async function lapse({ id, eventId }: Rsvp): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const now = clock.now()
      await holdOffer(tx, eventId)
      const rsvp = await findRsvp(tx, id)
      if (rsvp?.place !== 'paying' || rsvp.payBy === null || rsvp.payBy > now) return
      const { email } = rsvp
      // The address may have changed since the order was begun.
      if ((await listOpenRsvpOrders(tx, eventId)).some(({ rsvpId }) => rsvpId === id)) return
      if (email !== null && (await findOpenRsvpOrder(tx, { eventId, email }))) return
      await movePlace(tx, id, { place: 'cancelled', now })
      await tellGuest(tx, id, 'lapsed', now)
      const details = { before: { place: 'paying', guests: rsvp.guests }, after: { place: 'cancelled' } }
      await writeAudit(tx, { actor: 'system', action: 'rsvp.lapsed', subjectId: id, details }, now)
      await promote(tx, eventId, now)
    })
  }

  return {
    settleFrom,
    giveUp,
    end,
    check,
    unsettled: (before, limit) => listUnsettledRsvpOrders(db, before, limit),

    async verify({ session_id: sessionId, nonce }) {
      const order = await findRsvpOrderBySession(db, sessionId)
      if (!order || !equalSecrets(hashToken(nonce), order.nonceHash)) throw new Problem('PAYMENT_LINK_INVALID')
      try {
        if (order.state !== 'paid') await settle(sessionId)
      } catch (error) {
        log.warn({ reason: String((error as Error).message) }, 'payment could not be checked')
        throw error instanceof PaymentProviderError ? new Problem('PAYMENT_CHECK_FAILED') : error
      }
      const { state, isSeated, rsvpId } = (await findRsvpOrder(db, order.id)) ?? order
      if (state === 'creating' || state === 'open') return 'open'
      if (state !== 'paid') return 'ended'
      // A payment for seats that an address has already is told to its owner alone, by letter.
      const rsvp = rsvpId === null ? null : await findRsvp(db, rsvpId)
      return isSeated || rsvp?.place === 'coming' ? 'paid' : 'returned'
    },

    async giveUpBy({ order: id, nonce }) {
      const order = await findRsvpOrder(db, id)
      if (!order || !equalSecrets(hashToken(nonce), order.nonceHash)) throw new Problem('PAYMENT_LINK_INVALID')
      if (order.state === 'creating' || order.state === 'open') {
        await giveUp(order, 'failed')
        await end(order)
      }
      return { eventId: order.eventId }
    },

    job: {
      name: 'rsvp-payments',
      everyMs: MINUTE_MS,
      async run() {
        const now = clock.now()
        for (const order of await listEndedRsvpOrders(db, now, BATCH)) {
          try {
            await check(order)
          } catch (error) {
            log.warn({ order: order.id, reason: String((error as Error).message) }, 'could not be settled')
            // A provider that is silent would hold up all other work for seconds an order: the next turn goes on.
            if (error instanceof PaymentProviderError && error.outcome === 'unknown') break
          }
        }
        await eachByItself(await listLapsed(db, now), ({ id }) => `rsvp ${id}`, lapse)
        const nameOf = (eventId: string) => `seats held for event ${eventId}`
        await eachByItself(await listEventsWithEndedHolds(db, now), nameOf, (eventId) =>
          db.transaction().execute(async (tx) => {
            await holdOffer(tx, eventId)
            await releaseEndedHolds(tx, eventId, now)
            await promote(tx, eventId, now)
          }),
        )
        wakeOutbox()
      },
    },
  }
}
