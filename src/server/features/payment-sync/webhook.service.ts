import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import type { CheckoutFacts, Notice, PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { Problem } from '#server/platform/problem.ts'
import type { PaymentReturnService } from '../membership/payment-return.service.ts'
import type { SubscriptionService } from '../membership/subscription.service.ts'
import { markStripeEventDone, storeStripeEvent } from './stripe-event.repository.ts'

export interface WebhookService {
  /** Stores a genuine notice once and queues its handling; foreign ones are taken and forgotten. @throws Problem WEBHOOK_REFUSED */
  receive(rawBody: Buffer, signature: string): Promise<void>
  /** Handlers for the outbox. Done is marked only after everything is committed (docs/product-rules.md#activation). */
  effects: Record<string, (payload: Record<string, unknown>) => Promise<void>>
}

const REFUSALS_BEFORE_ALARM = 20

export function createWebhookService({
  db,
  clock,
  gateway,
  alarms,
  settlements,
  subscriptions,
  paymentReturns,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
  alarms: Alarms
  /** Each settles the checkouts that are its own and answers 'foreign' for others. */
  settlements: readonly { settleFrom(facts: CheckoutFacts): Promise<string> }[]
  subscriptions: SubscriptionService
  paymentReturns: PaymentReturnService
  wakeOutbox(): void
}): WebhookService {
  let refusals = 0

  /** What is asked of the provider is asked once, whoever the checkout belongs to. */
  async function settle(sessionId: string): Promise<void> {
    const facts = await gateway.readCheckout(sessionId)
    if (!facts) return
    for (const settlement of settlements) if ((await settlement.settleFrom(facts)) !== 'foreign') return
  }

  async function isKnown(kind: NonNullable<Notice['kind']>, objectId: string): Promise<boolean> {
    if (kind === 'subscription') return subscriptions.isKnown(objectId)
    return kind === 'payment' && paymentReturns.isKnown(objectId)
  }

  /** Handles a stored notice; done is marked only after everything is committed (docs/product-rules.md#activation). */
  function handler(act: (objectId: string) => Promise<unknown>) {
    return async ({ eventId, objectId }: Record<string, unknown>) => {
      await act(String(objectId))
      await markStripeEventDone(db, String(eventId), clock.now())
    }
  }

  return {
    async receive(rawBody, signature) {
      const now = clock.now()
      const notice = gateway.readNotice(rawBody, signature, now)
      if (!notice) {
        refusals++
        if (refusals === REFUSALS_BEFORE_ALARM) await alarms.raise('webhook-refused', { refusals })
        throw new Problem('WEBHOOK_REFUSED')
      }
      refusals = 0
      const { id, type, kind, objectId, checkoutId, createdAt } = notice
      if (kind === null) return
      if (checkoutId === null && !(await isKnown(kind, objectId))) return
      await db.transaction().execute(async (tx) => {
        if (!(await storeStripeEvent(tx, { id, type, objectId, createdAt }, now))) return
        await addToOutbox(tx, { kind: `stripe.${kind}`, payload: { eventId: id, objectId } }, now)
      })
      wakeOutbox()
    },

    effects: {
      'stripe.checkout': handler(settle),
      'stripe.subscription': handler((subscriptionId) => subscriptions.sync(subscriptionId)),
      'stripe.payment': handler(paymentReturns.sync),
    },
  }
}
