import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema/schema.ts'
import {
  PaymentProviderError,
  type CheckoutSnapshot,
  type PaidCheckout,
  type PaymentGateway,
} from '#server/stripe/payment-gateway.ts'
import type { Alerts } from '#server/alerts/alerts.ts'
import { isAudited, writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Log } from '#server/lib/logger.ts'
import { findRsvpOrder } from '#server/features/rsvps/orders/rsvp-order.commands.ts'
import { findSponsorship } from '#server/features/sponsors/orders/sponsorship.commands.ts'
import { findCheckout } from '#server/features/memberships/checkout/checkout.commands.ts'

export interface PaidOrders {
  /** Orders that we had closed although they were paid, and that are completed now. */
  completed: string[]
  /** Payments that match no order, whether or not they were reported before. */
  unknown: PaidCheckout[]
}

interface Tools {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  gateway: PaymentGateway
  alerts: Alerts
}

const REPORTED = 'payment.unknown'
const MAX_PER_ALERT = 20
const CLOSED_STATES: ReadonlySet<string> = new Set(['expired', 'failed'])
const COMPLETED_STATES: ReadonlySet<string> = new Set(['completed', 'refunded', 'paid'])

/**
 * Compares payments at the provider with our orders. Completes an order that we closed because its payment event was lost; no other
 * job checks closed orders. A payment for an order missing from the database is `unknown`. Fully refunded payments are ignored.
 * @param span.quietSince payments after this instant are left to their webhook events
 */
export async function findMissedPayments(
  { db, log, gateway }: Tools,
  completions: readonly { completeFrom(snapshot: CheckoutSnapshot): Promise<string> }[],
  { since, quietSince }: { since: number; quietSince: number },
): Promise<PaidOrders> {
  async function stateOf(id: string): Promise<string | null> {
    const order = (await findCheckout(db, id)) ?? (await findSponsorship(db, id)) ?? (await findRsvpOrder(db, id))
    return order?.state ?? null
  }

  async function complete(snapshot: CheckoutSnapshot): Promise<boolean> {
    for (const { completeFrom } of completions) {
      const outcome = await completeFrom(snapshot)
      if (outcome !== 'foreign') return COMPLETED_STATES.has(outcome)
    }
    return false
  }

  const found: PaidOrders = { completed: [], unknown: [] }
  for await (const paid of gateway.listPaidCheckouts(since)) {
    const state = await stateOf(paid.checkoutId)
    if (state !== null && !CLOSED_STATES.has(state)) continue
    const snapshot = await readKept(gateway, paid)
    if (!snapshot) continue
    if (state === null) found.unknown.push(paid)
    else if ((snapshot.paidAt ?? 0) <= quietSince) {
      try {
        if (await complete(snapshot)) found.completed.push(paid.checkoutId)
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
