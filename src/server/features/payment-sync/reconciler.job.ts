import type { AppContext } from '#server/app-context.ts'
import { findLastSuccess } from '#server/jobs/job-runner.ts'
import { listSubscriptionsToCheck } from '#server/features/memberships/membership.queries.ts'
import { markSubscriptionChecked } from '#server/features/memberships/membership.commands.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import { endStraySubscriptions } from './stray-subscriptions.service.ts'
import type { SubscriptionService } from '#server/features/memberships/subscription.service.ts'
import { reportUnknownPayments, findMissedPayments } from './paid-orders.service.ts'

export interface ReconcileResult {
  /** Differences that were repaired. */
  repaired: number
  /** Payments that match no order; null when this run did not search for them. */
  unknown: number | null
}

const EVERY_MS = 15 * 60_000
const QUIET_MS = 2 * 60_000
const DAY_MS = 86_400_000
const NAME = 'reconcile'
/** How far before the last successful run to search for refunds and disputes. */
const RETURNED_WITHIN_MS = 3 * DAY_MS
/** The same once a day: a refund can still fail at the bank within a month. */
const FAILS_WITHIN_MS = 35 * DAY_MS
/** The same when everything is compared, or before the first successful run. */
const RETURNED_EVER_MS = 400 * DAY_MS
/** Maximum age of an order that we may have closed although it was paid: its hosted page expires after a day. */
const CLOSED_WITHIN_MS = 2 * DAY_MS
/** The same once a day, also for payments that match no order: the maximum age of a backup. */
const UNKNOWN_WITHIN_MS = 60 * DAY_MS
const BATCH = 50
const CONCURRENCY = 8

/**
 * Repairs and reports every difference between the provider and the database that webhook events missed: paid checkouts, including those
 * we had closed, changed subscriptions, refunds and disputes, and once a day subscriptions without a membership. Payments that
 * match no order are reported.
 */
export function createReconciler(
  ctx: AppContext,
  { orders, subscriptions }: { orders: Orders; subscriptions: SubscriptionService },
) {
  const { db, clock, log, gateway, alerts } = ctx
  let straysEndedAt = 0
  let repaired = 0

  /** Logs each repair, so the webmaster can investigate missing webhook events. */
  function report(what: 'checkout' | 'subscription' | 'payment', id: string, differing: readonly string[] = []): void {
    repaired++
    log.warn({ [what]: id, differing }, 'repaired from the card provider')
  }

  async function checkOrder({ id, check }: Awaited<ReturnType<Orders['listPending']>>[number]): Promise<void> {
    const outcome = await check()
    if (outcome === 'paid' || outcome === 'refunded') report('checkout', id)
  }

  async function checkSubscription(subscriptionId: string): Promise<void> {
    const differing = await subscriptions.sync(subscriptionId, 'reconciler')
    if (differing.length > 0) report('subscription', subscriptionId, differing)
    await markSubscriptionChecked(db, subscriptionId, clock.now())
  }

  async function checkPayment(paymentIntentId: string): Promise<void> {
    if (await orders.payments.sync(paymentIntentId)) report('payment', paymentIntentId)
  }

  /** Reconciles what is due, or everything. */
  async function reconcile(everything: boolean): Promise<ReconcileResult> {
    repaired = 0
    let unknown: number | null = null
    const startedAt = clock.now()
    const quietSince = everything ? startedAt : startedAt - QUIET_MS
    await inBatches(() => orders.listPending(quietSince, BATCH), checkOrder)
    const isDaily = everything || startedAt - straysEndedAt >= DAY_MS
    const searched = everything ? RETURNED_EVER_MS : isDaily ? UNKNOWN_WITHIN_MS : CLOSED_WITHIN_MS
    const paid = await findMissedPayments(ctx, orders, {
      since: startedAt - searched,
      quietSince,
    })
    for (const id of paid.completed) report('checkout', id)
    const before = everything ? startedAt : startedAt - DAY_MS
    await inBatches(() => listSubscriptionsToCheck(db, { before, now: startedAt, limit: BATCH }), checkSubscription)
    const returned = await gateway.listRefundedOrDisputedPayments(
      await returnedSince({ everything, isDaily }, startedAt),
    )
    // Disputes are decided weeks after they were opened.
    const disputed = isDaily ? await orders.listDisputed() : []
    await all([...new Set([...returned, ...disputed])], checkPayment)
    if (isDaily) {
      repaired += await endStraySubscriptions(ctx, orders)
      await reportUnknownPayments(ctx, paid.unknown)
      unknown = paid.unknown.length
      straysEndedAt = startedAt
    }
    if (repaired > 0) await alerts.raise('reconciled', { repaired })
    return { repaired, unknown }
  }

  /** Start of the search for refunds and disputes. It covers any outage since the last successful run. */
  async function returnedSince(run: { everything: boolean; isDaily: boolean }, now: number): Promise<number> {
    const lastDone = run.everything ? null : await findLastSuccess(db, NAME)
    if (lastDone === null) return now - RETURNED_EVER_MS
    return Math.min(lastDone, now) - (run.isDaily ? FAILS_WITHIN_MS : RETURNED_WITHIN_MS)
  }

  /** Checks all items; a failure does not stop the others. Returns the number of failures. */
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

  /** Repeats until a batch is empty. Stops after failures, for example when the provider is unavailable; the next run continues. */
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
    /** Compares everything now, regardless of when it was last checked. Returns the result. */
    runAll: (): Promise<ReconcileResult> => reconcile(true),
  }
}
