import type { AppContext } from '#server/app-context.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import type * as effects from './membership.effects.ts'
import { sendRefund } from './membership.emails.ts'
import type { SubscriptionService } from './subscription.service.ts'

/** Calls the payment provider for memberships. */
export function createProviderEffects(
  { db, clock, gateway }: AppContext,
  {
    orders,
    subscriptions,
  }: {
    orders: Pick<Orders, 'find' | 'end'>
    subscriptions: SubscriptionService
  },
): HandlersOf<(typeof effects)[keyof typeof effects]> {
  return {
    /** A refunded invoice is on record, so its refund is reported by the usual email. */
    async 'payment.refund'({ checkoutId, invoiceId, accountId, subscriptionId, reference, why }) {
      const cause = checkoutId ?? invoiceId
      if (subscriptionId) await gateway.cancelSubscription(subscriptionId, `give-back-cancel:${cause}`)
      if (reference) await gateway.refund(reference, `give-back-refund:${cause}`)
      if (checkoutId === undefined) return
      const payload = { accountId, ...(why !== undefined && { why }) }
      await addToOutbox(db, { effect: sendRefund, payload, dedupeKey: `given-back:${cause}` }, clock.now())
    },

    async 'payment.expire_checkout'({ checkoutId }) {
      const found = await orders.find(checkoutId)
      if (found?.order.state === 'open') await orders.end(found.kind, found.order)
    },

    async 'payment.end_subscription'({ subscriptionId, unlessPaid }) {
      if (unlessPaid) {
        const snapshot = await gateway.readSubscription(subscriptionId)
        if (snapshot?.status === 'active' && !snapshot.cancelsAtPeriodEnd) {
          await subscriptions.sync(subscriptionId)
          return
        }
      }
      await gateway.cancelSubscription(subscriptionId, `end:${subscriptionId}`)
    },

    async 'payment.stop_renewal'({ subscriptionId, cause }) {
      await gateway.cancelAtPeriodEnd(subscriptionId, `stop:${cause}`)
    },

    async 'payment.sync_subscription'({ subscriptionId }) {
      await subscriptions.sync(subscriptionId)
    },
  }
}
