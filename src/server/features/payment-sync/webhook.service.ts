import type { AppContext } from '#server/app-context.ts'
import type { WebhookEvent } from '#server/stripe/payment-gateway.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import type { SubscriptionService } from '#server/features/memberships/subscription.service.ts'
import { markStripeEventDone, storeStripeEvent } from '#server/features/orders/stripe-event.commands.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { processEvent } from '#server/features/orders/stripe-event.effects.ts'

const REFUSALS_BEFORE_ALARM = 20

export function createWebhookService(
  { db, clock, gateway, alerts, wakeOutbox }: AppContext,
  { orders, subscriptions }: { orders: Pick<Orders, 'complete' | 'payments'>; subscriptions: SubscriptionService },
) {
  let refusals = 0

  async function isKnown(kind: NonNullable<WebhookEvent['kind']>, objectId: string): Promise<boolean> {
    if (kind === 'subscription') return subscriptions.isKnown(objectId)
    return kind === 'payment' && orders.payments.isKnown(objectId)
  }

  function handler(act: (objectId: string) => Promise<unknown>) {
    return async ({ eventId, objectId }: { eventId: string; objectId: string }) => {
      await act(objectId)
      await markStripeEventDone(db, eventId, clock.now())
    }
  }

  return {
    /**
     * Stores a verified event once and queues its processing. Events of other products are acknowledged and ignored.
     * @throws Problem WEBHOOK_REFUSED
     */
    async receive(rawBody: Buffer, signature: string): Promise<void> {
      const now = clock.now()
      const event = gateway.parseWebhookEvent(rawBody, signature, now)
      if (!event) {
        refusals++
        if (refusals === REFUSALS_BEFORE_ALARM) await alerts.raise('webhook-refused', { refusals })
        throw new Problem('WEBHOOK_REFUSED')
      }
      refusals = 0
      const { id, type, kind, objectId, checkoutId, createdAt } = event
      if (kind === null) return
      if (checkoutId === null && !(await isKnown(kind, objectId))) return
      await db.transaction().execute(async (tx) => {
        if (!(await storeStripeEvent(tx, { id, type, objectId, createdAt }, now))) return
        await addToOutbox(tx, { effect: processEvent[kind], payload: { eventId: id, objectId } }, now)
      })
      wakeOutbox()
    },

    /** Outbox handlers. An event is marked done only after everything is committed (docs/product-rules.md#activation). */
    effects: {
      'stripe.checkout': handler(orders.complete),
      'stripe.subscription': handler((subscriptionId) => subscriptions.sync(subscriptionId)),
      'stripe.payment': handler(orders.payments.sync),
    } satisfies HandlersOf<(typeof processEvent)[keyof typeof processEvent]>,
  }
}

export type WebhookService = ReturnType<typeof createWebhookService>
