import type { Db } from '#server/db/database.ts'
import type { PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Job } from '#server/platform/job-runner.ts'
import type { Log } from '#server/platform/logger.ts'
import { closeCheckout, listUnsettledCheckouts, markOpen, touchCheckout, type Checkout } from './checkout.repository.ts'
import { listSubscriptionsToCheck, touchMembership } from './membership.repository.ts'
import type { SponsorSettlementService } from '../sponsors/sponsor-settlement.service.ts'
import type { SettlementService } from './settlement.service.ts'
import type { SubscriptionService } from './subscription.service.ts'

const EVERY_MS = 15 * 60_000
const QUIET_MS = 2 * 60_000
const SUBSCRIPTION_EVERY_MS = 86_400_000
const BATCH = 50
const CONCURRENCY = 8

/** Repairs what notices missed: settles checkouts that were paid unheard, and reads subscriptions again (design 7). */
export function createReconciler({
  db,
  clock,
  log,
  gateway,
  settlements,
  sponsorSettlements,
  subscriptions,
}: {
  db: Db
  clock: Clock
  log: Log
  gateway: PaymentGateway
  settlements: SettlementService
  sponsorSettlements: Pick<SponsorSettlementService, 'unsettled' | 'check'>
  subscriptions: SubscriptionService
}): Job {
  async function checkCheckout(checkout: Checkout): Promise<void> {
    const now = clock.now()
    await touchCheckout(db, checkout.id, now)
    if (checkout.stripeSessionId) {
      const settlement = await settlements.settle(checkout.stripeSessionId)
      if (settlement === 'completed' || settlement === 'refunded')
        log.info({ checkout: checkout.id }, 'checkout repaired')
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
    await subscriptions.sync(subscriptionId)
    await touchMembership(db, subscriptionId, clock.now())
  }

  return {
    name: 'reconcile',
    everyMs: EVERY_MS,
    async run() {
      const startedAt = clock.now()
      const quietSince = startedAt - QUIET_MS
      await inBatches(() => listUnsettledCheckouts(db, quietSince, BATCH), checkCheckout)
      await inBatches(() => sponsorSettlements.unsettled(quietSince, BATCH), sponsorSettlements.check)
      const before = startedAt - SUBSCRIPTION_EVERY_MS
      await inBatches(() => listSubscriptionsToCheck(db, { before, now: startedAt, limit: BATCH }), checkSubscription)
    },
  }

  /** Until a batch is empty; one failure does not keep the others from being looked at, and the next turn tries it again. */
  async function inBatches<T>(next: () => Promise<T[]>, check: (item: T) => Promise<void>): Promise<void> {
    for (;;) {
      const items = await next()
      if (items.length === 0) return
      let failures = 0
      for (let i = 0; i < items.length; i += CONCURRENCY) {
        const outcomes = await Promise.allSettled(items.slice(i, i + CONCURRENCY).map(check))
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled') continue
          failures++
          log.warn({ reason: String((outcome.reason as Error).message) }, 'could not be reconciled')
        }
      }
      // The provider is away, or an item cannot be touched: the next turn goes on.
      if (failures > 0) return
    }
  }
}
