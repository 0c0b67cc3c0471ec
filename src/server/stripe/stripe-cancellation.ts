import type Stripe from 'stripe'
import { PaymentProviderError, type PaymentGateway } from './payment-gateway.ts'
import { toProviderError, translate, unlessMissing } from './stripe-errors.ts'

const ENDED: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired'])
const PAGE = 100

/** Whether a subscription charges nothing more. */
export function hasEnded({ status }: Pick<Stripe.Subscription, 'status'>): boolean {
  return ENDED.has(status)
}

/** How what charges is ended. */
export function createStripeEnding(stripe: Stripe): Pick<PaymentGateway, 'cancelSubscription' | 'cancelAtPeriodEnd'> {
  const find = (subscriptionId: string) => unlessMissing(stripe.subscriptions.retrieve(subscriptionId))

  /** Stripe stops collecting what an ended subscription left open, and still takes it from whoever follows the link in its letter. */
  async function voidOpenInvoices(subscription: string): Promise<void> {
    const { data } = await translate(stripe.invoices.list({ subscription, status: 'open', limit: PAGE }))
    for (const { id } of data) {
      try {
        await stripe.invoices.voidInvoice(id)
      } catch (error) {
        // Paid, or made void by another worker, since it was listed.
        const invoice = await unlessMissing(stripe.invoices.retrieve(id))
        if (invoice?.status === 'open') throw toProviderError(error)
      }
    }
  }

  async function end(subscription: Stripe.Subscription, idempotencyKey: string): Promise<void> {
    // First the subscription: one whose open invoice is void goes on as if it were paid.
    if (!hasEnded(subscription)) await translate(stripe.subscriptions.cancel(subscription.id, {}, { idempotencyKey }))
    await voidOpenInvoices(subscription.id)
  }

  return {
    async cancelSubscription(subscriptionId, idempotencyKey) {
      const subscription = await find(subscriptionId)
      if (subscription) await end(subscription, idempotencyKey)
    },

    async cancelAtPeriodEnd(subscriptionId, idempotencyKey) {
      const before = await find(subscriptionId)
      if (before && owes(before)) {
        // Its period is the year that was not paid, and Stripe goes on trying to charge it.
        await end(before, `${idempotencyKey}:now`)
        return 'ended'
      }
      try {
        await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true }, { idempotencyKey })
        return 'stops'
      } catch (error) {
        const failure = toProviderError(error)
        // One that has ended, or is gone, is refused: there is nothing left to end then.
        if (!(failure instanceof PaymentProviderError) || failure.outcome !== 'refused') throw failure
        const subscription = await find(subscriptionId)
        if (subscription && !hasEnded(subscription)) throw failure
        return 'ended'
      }
    },
  }
}

/** Whether the renewal of what still runs could not be charged. */
function owes({ status }: Stripe.Subscription): boolean {
  return status === 'past_due' || status === 'unpaid'
}
