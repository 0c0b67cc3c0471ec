import type { AppContext } from '#server/app-context.ts'
import {
  PaymentProviderError,
  type CheckoutSnapshot,
  type PaidCheckout,
  type PaymentGateway,
} from '#server/stripe/payment-gateway.ts'
import { isAudited, writeAudit } from '#server/audit-log/audit.repository.ts'
import { isPending, isPaid } from '#server/features/orders/order.queries.ts'
import type { Orders } from '#server/features/orders/order.service.ts'

export interface PaidOrders {
  /** Orders that we had closed although they were paid, and that are completed now. */
  completed: string[]
  /** Payments that match no order, whether or not they were reported before. */
  unknown: PaidCheckout[]
}

type Tools = Pick<AppContext, 'db' | 'clock' | 'log' | 'gateway' | 'alerts'>

const REPORTED = 'payment.unknown'
const MAX_PER_ALERT = 20

/**
 * Compares payments at the provider with our orders. Completes an order that we closed because its payment event was lost; no other
 * job checks closed orders. A payment for an order missing from the database is `unknown`. Fully refunded payments are ignored.
 * @param span.quietSince payments after this instant are left to their webhook events
 */
export async function findMissedPayments(
  { log, gateway }: Tools,
  orders: Pick<Orders, 'find' | 'completeFrom'>,
  { since, quietSince }: { since: number; quietSince: number },
): Promise<PaidOrders> {
  const found: PaidOrders = { completed: [], unknown: [] }
  for await (const paid of gateway.listPaidCheckouts(since)) {
    const order = (await orders.find(paid.checkoutId))?.order
    if (order && (isPending(order) || isPaid(order))) continue
    const snapshot = await readKept(gateway, paid)
    if (!snapshot) continue
    if (!order) found.unknown.push(paid)
    else if ((snapshot.paidAt ?? 0) <= quietSince) {
      try {
        const outcome = await orders.completeFrom(snapshot)
        if (outcome === 'paid' || outcome === 'refunded') found.completed.push(paid.checkoutId)
      } catch (error) {
        if (error instanceof PaymentProviderError) throw error
        log.warn({ order: paid.checkoutId, reason: String((error as Error).message) }, 'could not be completed')
        found.unknown.push(paid)
      }
    }
  }
  return found
}

/** The checkout at the provider, if it is paid and not fully refunded; otherwise null. */
async function readKept(gateway: PaymentGateway, { sessionId }: PaidCheckout): Promise<CheckoutSnapshot | null> {
  const snapshot = await gateway.readCheckout(sessionId)
  if (!snapshot?.isPaid) return null
  const payment = snapshot.paymentIntentId && (await gateway.readPayment(snapshot.paymentIntentId))
  return !payment || payment.amountRefunded < payment.amount ? snapshot : null
}

/** Alerts the officers about payments that match no order, once each; only the provider knows who paid. */
export async function reportUnknownPayments(
  { db, clock, log, alerts }: Tools,
  unknown: readonly PaidCheckout[],
): Promise<void> {
  const unreported: PaidCheckout[] = []
  for (const paid of unknown) {
    if (!(await isAudited(db, { action: REPORTED, subjectId: paid.sessionId }))) unreported.push(paid)
  }
  if (unreported.length === 0) return
  const now = clock.now()
  for (const { sessionId: session, customerId: customer, subscriptionId: subscription } of unreported)
    log.warn({ session, customer, subscription }, 'paid, and not known here')
  await db.transaction().execute(async (tx) => {
    for (const { sessionId } of unreported)
      await writeAudit(tx, { actor: 'system', action: REPORTED, subjectId: sessionId }, now)
    for (let start = 0; start < unreported.length; start += MAX_PER_ALERT) {
      const named = unreported.slice(start, start + MAX_PER_ALERT)
      const checkouts = named.map(({ sessionId, customerId }) => `${sessionId} (${customerId ?? 'no customer'})`)
      await alerts.raise('unknown-payment', { payments: named.length, checkouts: checkouts.join(', ') }, tx)
    }
  })
}
