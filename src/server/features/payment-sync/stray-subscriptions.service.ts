import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import type { LiveSubscription, PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { findCheckout } from './checkout.repository.ts'
import { isCurrentSubscription } from './membership.repository.ts'
import type { SettlementService } from './settlement.service.ts'

/** A checkout this young may still be on its way to becoming a membership. */
const SETTLE_WITHIN_MS = 3_600_000

/**
 * Ends subscriptions of ours that charge somebody for a membership they do not have: an end that was given up, or a second one nobody knew of. Answers
 * how many. Those that are not ours are left alone.
 */
export async function endStraySubscriptions({
  db,
  clock,
  gateway,
  alarms,
  settlements,
}: {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
  alarms: Alarms
  settlements: SettlementService
}): Promise<number> {
  async function isStray({ id, checkoutId, createdAt }: LiveSubscription): Promise<boolean> {
    if (checkoutId === null || clock.now() - createdAt < SETTLE_WITHIN_MS) return false
    const checkout = await findCheckout(db, checkoutId)
    if (!checkout || (await isCurrentSubscription(db, id))) return false
    if (checkout.state === 'completed' || checkout.state === 'refunded') return true
    // Paid, and never heard of: that is a membership to start, not a charge to end.
    if (checkout.stripeSessionId) await settlements.settle(checkout.stripeSessionId)
    return false
  }

  let ended = 0
  for await (const live of gateway.listLiveSubscriptions()) {
    if (!(await isStray(live))) continue
    ended++
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      const payload = { subscriptionId: live.id }
      await addToOutbox(tx, { kind: 'payment.end_subscription', payload }, now)
      await writeAudit(tx, { actor: 'system', action: 'subscription.stray', subjectId: live.id }, now)
      await alarms.raise('stray-subscription', { subscription: live.id }, tx)
    })
  }
  return ended
}
