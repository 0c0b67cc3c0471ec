import type Stripe from 'stripe'
import { PaymentProviderError, type PaymentGateway } from './payment-gateway.ts'
import { toProviderError, withProviderErrors, nullIfMissing } from './stripe-errors.ts'

const ENDED: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired'])
const PAGE = 100

/** Whether a subscription charges nothing more. */
export function hasEnded({ status }: Pick<Stripe.Subscription, 'status'>): boolean {
  return ENDED.has(status)
}

/** Cancels subscriptions. */
export function createStripeCancellation(
  stripe: Stripe,
): Pick<PaymentGateway, 'cancelSubscription' | 'cancelAtPeriodEnd'> {
  const find = (subscriptionId: string) => nullIfMissing(stripe.subscriptions.retrieve(subscriptionId))

  /** Stripe stops collecting the open invoices of a canceled subscription, but its emailed payment link still works, so they are voided. */
  async function voidOpenInvoices(subscription: string): Promise<void> {
    const { data } = await withProviderErrors(stripe.invoices.list({ subscription, status: 'open', limit: PAGE }))
    for (const { id } of data) {
      try {
        await stripe.invoices.voidInvoice(id)
      } catch (error) {
        // Paid, or voided by another worker, since it was listed.
        const invoice = await nullIfMissing(stripe.invoices.retrieve(id))
        if (invoice?.status === 'open') throw toProviderError(error)
      }
    }
  }

  async function cancelNow(subscription: Stripe.Subscription, idempotencyKey: string): Promise<void> {
    // Cancel first: a subscription whose open invoice is voided continues as if it were paid.
    if (!hasEnded(subscription))
      await withProviderErrors(stripe.subscriptions.cancel(subscription.id, {}, { idempotencyKey }))
    await voidOpenInvoices(subscription.id)
  }

  return {
    async cancelSubscription(subscriptionId, idempotencyKey) {
      const subscription = await find(subscriptionId)
      if (subscription) await cancelNow(subscription, idempotencyKey)
    },

    async cancelAtPeriodEnd(subscriptionId, idempotencyKey) {
      const before = await find(subscriptionId)
      if (before && hasUnpaidRenewal(before)) {
        // Its current period is the unpaid year, and Stripe keeps retrying the charge.
        await cancelNow(before, `${idempotencyKey}:now`)
        return 'ended'
      }
      try {
        await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true }, { idempotencyKey })
        return 'stops'
      } catch (error) {
        const failure = toProviderError(error)
        // Stripe rejects this for a subscription that has ended or does not exist: then there is nothing to cancel.
        if (!(failure instanceof PaymentProviderError) || failure.outcome !== 'refused') throw failure
        const subscription = await find(subscriptionId)
        if (subscription && !hasEnded(subscription)) throw failure
        return 'ended'
      }
    },
  }
}

/** Whether the latest renewal failed while the subscription still runs. */
function hasUnpaidRenewal({ status }: Stripe.Subscription): boolean {
  return status === 'past_due' || status === 'unpaid'
}
