import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import type { PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Job } from '#server/platform/job-runner.ts'
import type { Log } from '#server/platform/logger.ts'
import { closeCheckout, listUnsettledCheckouts, markOpen, touchCheckout, type Checkout } from './checkout.repository.ts'
import { listSubscriptionsToCheck, touchMembership } from './membership.repository.ts'
import type { RsvpSettlementService } from '../events/rsvp-settlement.service.ts'
import type { SponsorSettlementService } from '../sponsors/sponsor-settlement.service.ts'
import type { PaymentReturnService } from './payment-return.service.ts'
import type { SettlementService } from './settlement.service.ts'
import { endStraySubscriptions } from './stray-subscriptions.ts'
import type { SubscriptionService } from './subscription.service.ts'
import { reportUnknownPayments } from './unknown-payments.ts'

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
/** How far back refunds and disputes are looked for: each turn, and when everything is compared. */
const RETURNED_WITHIN_MS = 3 * DAY_MS
const RETURNED_EVER_MS = 400 * DAY_MS
/** The same for payments that nobody here knows of: once a day, as long as a backup may be old. */
const UNKNOWN_WITHIN_MS = 60 * DAY_MS
const BATCH = 50
const CONCURRENCY = 8

/**
 * Repairs every difference between the provider and the database that notices missed, and reports each (design 7): checkouts paid unheard,
 * subscriptions that moved on, payments that came back, and once a day subscriptions that charge for nobody's membership. What was paid by
 * people the database does not know is reported.
 */
export function createReconciler(tools: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  gateway: PaymentGateway
  alarms: Alarms
  settlements: SettlementService
  sponsorSettlements: Pick<SponsorSettlementService, 'unsettled' | 'check'>
  rsvpSettlements: Pick<RsvpSettlementService, 'unsettled' | 'check'>
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
    if (found) {
      await markOpen(db, checkout.id, { stripeSessionId: found.sessionId, url: found.url, now })
      await settlements.settle(found.sessionId)
    } else {
      await closeCheckout(db, checkout.id, 'failed')
    }
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
    const before = everything ? startedAt : startedAt - DAY_MS
    await inBatches(() => listSubscriptionsToCheck(db, { before, now: startedAt, limit: BATCH }), checkSubscription)
    const returned = startedAt - (everything ? RETURNED_EVER_MS : RETURNED_WITHIN_MS)
    await all(await gateway.listReturnedPayments(returned), checkPayment)
    if (everything || startedAt - straysEndedAt >= DAY_MS) {
      repaired += await endStraySubscriptions(tools)
      unknown = await reportUnknownPayments(tools, startedAt - (everything ? RETURNED_EVER_MS : UNKNOWN_WITHIN_MS))
      straysEndedAt = startedAt
    }
    if (repaired > 0) await alarms.raise('reconciled', { repaired })
    return { repaired, unknown }
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
    name: 'reconcile',
    everyMs: EVERY_MS,
    run: async () => void (await reconcile(false)),
    runAll: () => reconcile(true),
  }
}
