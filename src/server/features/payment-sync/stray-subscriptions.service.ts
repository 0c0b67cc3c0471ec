import type { AppContext } from '#server/app-context.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import type { LiveSubscription } from '#server/stripe/payment-gateway.ts'
import { isCurrentSubscription, isSubscriptionKnown } from '#server/features/memberships/membership.queries.ts'
import { endSubscription } from '#server/features/memberships/membership.effects.ts'
import { isPaid } from '#server/features/orders/order.queries.ts'
import type { Orders } from '#server/features/orders/order.service.ts'

/** A checkout this recent may not be processed yet. */
const COMPLETES_WITHIN_MS = 3_600_000

/**
 * Ends our subscriptions that charge a member without a matching membership, after a failed cancellation or a duplicate subscription. Returns
 * how many. Subscriptions that are not ours and were not imported are ignored.
 */
export async function endStraySubscriptions(
  { db, clock, gateway, alerts }: AppContext,
  orders: Pick<Orders, 'find' | 'complete'>,
): Promise<number> {
  async function isStray({ id, checkoutId, createdAt }: LiveSubscription): Promise<boolean> {
    if (clock.now() - createdAt < COMPLETES_WITHIN_MS) return false
    // Of an earlier system: ours only since it was imported.
    if (checkoutId === null) return (await isSubscriptionKnown(db, id)) && !(await isCurrentSubscription(db, id))
    const order = (await orders.find(checkoutId))?.order
    if (!order || (await isCurrentSubscription(db, id))) return false
    if (isPaid(order)) return true
    // Paid, but the event was lost: start the membership instead of ending the subscription.
    if (order.stripeSessionId) await orders.complete(order.stripeSessionId)
    return false
  }

  let ended = 0
  for await (const live of gateway.listLiveSubscriptions()) {
    if (!(await isStray(live))) continue
    ended++
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      const payload = { subscriptionId: live.id }
      await addToOutbox(tx, { effect: endSubscription, payload }, now)
      await writeAudit(tx, { actor: 'system', action: 'subscription.stray', subjectId: live.id }, now)
      await alerts.raise('stray-subscription', { subscription: live.id }, tx)
    })
  }
  return ended
}
