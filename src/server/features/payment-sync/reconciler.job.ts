import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import type { PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import type { Clock } from '#server/platform/clock.ts'
import { findLastDone, type Job } from '#server/platform/job-runner.ts'
import type { Log } from '#server/platform/logger.ts'
import { listOpenDisputes } from '../billing/open-disputes.repository.ts'
import { endSession } from '../billing/end-session.ts'
import { closeCheckout, listUnsettledCheckouts, markOpen, touchCheckout, type Checkout } from './checkout.repository.ts'
import { listSubscriptionsToCheck, touchMembership } from './membership.repository.ts'
import type { RsvpSettlementService } from '../events/rsvp-settlement.service.ts'
import type { SponsorSettlementService } from '../sponsors/sponsor-settlement.service.ts'
import type { PaymentReturnService } from './payment-return.service.ts'
import type { SettlementService } from './settlement.service.ts'
import { endStraySubscriptions } from './stray-subscriptions.ts'
import type { SubscriptionService } from './subscription.service.ts'
import { reportUnknownPayments, searchPaidOrders } from './paid-orders.ts'

export interface Reconciler extends Job {
  /** Compares everything now, however lately it was looked at. Answers what was found. */
  runAll(): Promise<Reconciled>
}

export interface Reconciled {
  /** Differences that were repaired. */
  repaired: number
  /** Payments of people the database does not know; null when this turn did not look for them. */
  unknown: number | null
}

const EVERY_MS = 15 * 60_000
const QUIET_MS = 2 * 60_000
const DAY_MS = 86_400_000
const NAME = 'reconcile'
/** How far back from the last turn that went well refunds and disputes are looked for; and when everything is compared, or none went well yet. */
const RETURNED_WITHIN_MS = 3 * DAY_MS
/** The same once a day: a refund can fail at the bank for a month, and the money is ours again. */
const FAILS_WITHIN_MS = 35 * DAY_MS
const RETURNED_EVER_MS = 400 * DAY_MS
/** How long ago an order was begun that may have been closed here and paid all the same: its page ends after a day. */
const CLOSED_WITHIN_MS = 2 * DAY_MS
/** The same once a day, and for payments that nobody here knows of: as long as a backup may be old. */
const UNKNOWN_WITHIN_MS = 60 * DAY_MS
const BATCH = 50
const CONCURRENCY = 8

/**
 * Repairs every difference between the provider and the database that notices missed, and reports each: checkouts paid unheard, also those
 * that were closed here, subscriptions that moved on, payments that came back, and once a day subscriptions that charge for nobody's membership. What was paid by
 * people the database does not know is reported.
 */
export function createReconciler(tools: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  gateway: PaymentGateway
  alarms: Alarms
  settlements: SettlementService
  sponsorSettlements: Pick<SponsorSettlementService, 'unsettled' | 'check' | 'settleFrom'>
  rsvpSettlements: Pick<RsvpSettlementService, 'unsettled' | 'check' | 'settleFrom'>
  subscriptions: SubscriptionService
  paymentReturns: PaymentReturnService
}): Reconciler {
  const { db, clock, log, gateway, alarms, settlements, sponsorSettlements, rsvpSettlements } = tools
  const { subscriptions, paymentReturns } = tools
  let straysEndedAt = 0
  let repaired = 0

  /** A line in the log for each: notices that do not arrive are the webmaster's to look after. */
  function report(what: 'checkout' | 'subscription' | 'payment', id: string, differing: readonly string[] = []): void {
    repaired++
    log.warn({ [what]: id, differing }, 'repaired from the card provider')
  }

  async function checkCheckout(checkout: Checkout): Promise<void> {
    const now = clock.now()
    await touchCheckout(db, checkout.id, now)
    if (checkout.stripeSessionId) {
      const settlement = await settlements.settle(checkout.stripeSessionId)
      if (settlement === 'completed' || settlement === 'refunded') report('checkout', checkout.id)
      if (settlement === 'foreign') await closeCheckout(db, checkout.id, 'failed')
      return
    }
    const found = await gateway.findCheckout({ checkoutId: checkout.id, createdAt: checkout.createdAt })
    if (!found) return closeCheckout(db, checkout.id, 'failed')
    const { sessionId, url } = found
    if (await markOpen(db, checkout.id, { stripeSessionId: sessionId, url, now })) await settlements.settle(sessionId)
    else await endSession(sessionId, { gateway, log, settlements })
  }

  async function checkSubscription(subscriptionId: string): Promise<void> {
    const differing = await subscriptions.sync(subscriptionId, 'reconciler')
    if (differing.length > 0) report('subscription', subscriptionId, differing)
    await touchMembership(db, subscriptionId, clock.now())
  }

  async function checkPayment(paymentIntentId: string): Promise<void> {
    if (await paymentReturns.sync(paymentIntentId)) report('payment', paymentIntentId)
  }

  /** Everything that is due, or simply everything. */
  async function reconcile(everything: boolean): Promise<Reconciled> {
    repaired = 0
    let unknown: number | null = null
    const startedAt = clock.now()
    const quietSince = everything ? startedAt : startedAt - QUIET_MS
    await inBatches(() => listUnsettledCheckouts(db, quietSince, BATCH), checkCheckout)
    await inBatches(() => sponsorSettlements.unsettled(quietSince, BATCH), sponsorSettlements.check)
    await inBatches(() => rsvpSettlements.unsettled(quietSince, BATCH), rsvpSettlements.check)
    const isDaily = everything || startedAt - straysEndedAt >= DAY_MS
    const searched = everything ? RETURNED_EVER_MS : isDaily ? UNKNOWN_WITHIN_MS : CLOSED_WITHIN_MS
    const paid = await searchPaidOrders(tools, [settlements, sponsorSettlements, rsvpSettlements], {
      since: startedAt - searched,
      quietSince,
    })
    for (const id of paid.settled) report('checkout', id)
    const before = everything ? startedAt : startedAt - DAY_MS
    await inBatches(() => listSubscriptionsToCheck(db, { before, now: startedAt, limit: BATCH }), checkSubscription)
    const returned = await gateway.listReturnedPayments(await returnedSince({ everything, isDaily }, startedAt))
    // What became of a dispute is heard of weeks after it began.
    const disputed = isDaily ? await listOpenDisputes(db) : []
    await all([...new Set([...returned, ...disputed])], checkPayment)
    if (isDaily) {
      repaired += await endStraySubscriptions(tools)
      await reportUnknownPayments(tools, paid.unknown)
      unknown = paid.unknown.length
      straysEndedAt = startedAt
    }
    if (repaired > 0) await alarms.raise('reconciled', { repaired })
    return { repaired, unknown }
  }

  /** An outage of the site or of the provider, however long, hides nothing that came back meanwhile. */
  async function returnedSince(turn: { everything: boolean; isDaily: boolean }, now: number): Promise<number> {
    const lastDone = turn.everything ? null : await findLastDone(db, NAME)
    if (lastDone === null) return now - RETURNED_EVER_MS
    return Math.min(lastDone, now) - (turn.isDaily ? FAILS_WITHIN_MS : RETURNED_WITHIN_MS)
  }

  /** One failure does not keep the others from being looked at. Answers how many failed. */
  async function all<T>(items: readonly T[], check: (item: T) => Promise<void>): Promise<number> {
    let failures = 0
    for (let i = 0; i < items.length; i += CONCURRENCY) {
      const outcomes = await Promise.allSettled(items.slice(i, i + CONCURRENCY).map(check))
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') continue
        failures++
        log.warn({ reason: String((outcome.reason as Error).message) }, 'could not be reconciled')
      }
    }
    return failures
  }

  /** Until a batch is empty. With failures the provider is away, or an item cannot be touched: the next turn goes on. */
  async function inBatches<T>(next: () => Promise<T[]>, check: (item: T) => Promise<void>): Promise<void> {
    for (;;) {
      const items = await next()
      if (items.length === 0 || (await all(items, check)) > 0) return
    }
  }

  return {
    name: NAME,
    everyMs: EVERY_MS,
    run: async () => void (await reconcile(false)),
    runAll: () => reconcile(true),
  }
}
