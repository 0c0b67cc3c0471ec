import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema/schema.ts'
import type { LiveSubscription, PaymentGateway } from '#server/stripe/payment-gateway.ts'
import type { Alerts } from '#server/alerts/alerts.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Clock } from '#server/lib/clock.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { findCheckout } from '#server/features/memberships/checkout/checkout.commands.ts'
import { isCurrentSubscription } from '#server/features/memberships/membership.queries.ts'
import type { OrderCompletionService } from '#server/features/memberships/checkout/order-completion.service.ts'
import { endSubscription } from '#server/features/memberships/membership.effects.ts'

/** A checkout this recent may not be processed yet. */
const COMPLETES_WITHIN_MS = 3_600_000

/**
 * Ends our subscriptions that charge a member without a matching membership, after a failed cancellation or a duplicate subscription. Returns
 * how many. Subscriptions that are not ours are ignored.
 */
export async function endStraySubscriptions({
  db,
  clock,
  gateway,
  alerts,
  completions,
}: {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
  alerts: Alerts
  completions: OrderCompletionService
}): Promise<number> {
  async function isStray({ id, checkoutId, createdAt }: LiveSubscription): Promise<boolean> {
    if (checkoutId === null || clock.now() - createdAt < COMPLETES_WITHIN_MS) return false
    const checkout = await findCheckout(db, checkoutId)
    if (!checkout || (await isCurrentSubscription(db, id))) return false
    if (checkout.state === 'completed' || checkout.state === 'refunded') return true
    // Paid, but the event was lost: start the membership instead of ending the subscription.
    if (checkout.stripeSessionId) await completions.completePayment(checkout.stripeSessionId)
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
