import type Stripe from 'stripe'
import { productNames, toForeignSubscription } from './foreign-subscriptions.ts'
import type { PaymentSnapshot, PaymentGateway, PlanChange } from './payment-gateway.ts'
import { withProviderErrors, withProviderErrorsEach, nullIfMissing } from './stripe-errors.ts'
import {
  idOf,
  isSucceededOrPending,
  SUBSCRIPTION_EXPANSIONS,
  toInstant,
  toInvoiceSnapshot,
  toSubscriptionSnapshot,
} from './stripe-mapping.ts'

const LIVE: ReadonlySet<string> = new Set(['active', 'past_due', 'unpaid', 'trialing'])
const PAGE = 100

type Billing = Pick<
  PaymentGateway,
  | 'readSubscription'
  | 'listLiveSubscriptions'
  | 'listForeignSubscriptions'
  | 'listPaidCheckouts'
  | 'listPaidInvoices'
  | 'readUpcomingCharge'
  | 'previewChange'
  | 'readPayment'
  | 'listRefundedOrDisputedPayments'
>

/** The read side of the gateway: subscriptions, invoices, refunds and disputes. */
export function createStripeBilling(stripe: Stripe): Billing {
  async function disputeOf(paymentIntentId: string): Promise<PaymentSnapshot['dispute']> {
    const { data } = await stripe.disputes.list({ payment_intent: paymentIntentId, limit: 1 })
    const status = data[0]?.status
    if (!status) return null
    if (status === 'lost') return 'lost'
    return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open'
  }

  async function readPayment(paymentIntentId: string): Promise<PaymentSnapshot | null> {
    const intent = await stripe.paymentIntents.retrieve(paymentIntentId, { expand: ['latest_charge'] })
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
    if (!charge) return null
    const refunds =
      charge.amount_refunded > 0 ? await stripe.refunds.list({ payment_intent: paymentIntentId, limit: PAGE }) : null
    return {
      paymentIntentId,
      amount: charge.amount,
      amountRefunded: charge.amount_refunded,
      refundedAt: toInstant(refunds?.data.find(isSucceededOrPending)?.created ?? null),
      dispute: charge.disputed ? await disputeOf(paymentIntentId) : null,
    }
  }

  async function previewChange(subscriptionId: string, priceId: string): Promise<PlanChange> {
    const subscription = await stripe.subscriptions.retrieve(subscriptionId)
    const item = subscription.items.data[0]
    if (!item) throw new Error(`subscription ${subscriptionId} has no item`)
    const preview = await stripe.invoices.createPreview({
      subscription: subscriptionId,
      subscription_details: {
        items: [{ id: item.id, price: priceId }],
        proration_behavior: 'always_invoice',
      },
    })
    const price = await stripe.prices.retrieve(priceId)
    const credit = preview.lines.data.reduce((sum, { amount }) => sum + Math.min(0, amount), 0)
    // A negative balance is credit of the customer, which later invoices use up.
    const creditLeft = Math.max(0, -(preview.starting_balance + preview.total))
    const nextCharge = Math.max(0, (price.unit_amount ?? 0) - creditLeft)
    const lastEnd = Math.max(...preview.lines.data.map(({ period }) => period.end), item.current_period_end)
    return {
      currency: preview.currency,
      credit: -credit,
      dueToday: preview.amount_due,
      creditLeft,
      nextCharge,
      nextChargeAt: lastEnd * 1_000,
    }
  }

  return {
    async readSubscription(subscriptionId) {
      const subscription = await nullIfMissing(
        stripe.subscriptions.retrieve(subscriptionId, { expand: SUBSCRIPTION_EXPANSIONS }),
      )
      return subscription && toSubscriptionSnapshot(subscription)
    },

    async *listLiveSubscriptions() {
      const listed = withProviderErrorsEach(stripe.subscriptions.list({ limit: PAGE }))
      for await (const { id, status, metadata, created } of listed) {
        if (LIVE.has(status)) yield { id, checkoutId: metadata['checkout_id'] ?? null, createdAt: created * 1_000 }
      }
    },

    async listForeignSubscriptions(limit) {
      const found: Stripe.Subscription[] = []
      const expanded = { expand: ['data.customer', 'data.latest_invoice'], limit: PAGE }
      for await (const subscription of withProviderErrorsEach(stripe.subscriptions.list(expanded))) {
        found.push(subscription)
        if (found.length >= limit) break
      }
      const names = await withProviderErrors(productNames(stripe, found))
      return found.map((subscription) => toForeignSubscription(subscription, names))
    },

    async *listPaidCheckouts(since) {
      const created = { gte: Math.floor(since / 1_000) }
      const listed = withProviderErrorsEach(stripe.checkout.sessions.list({ created, status: 'complete', limit: PAGE }))
      for await (const session of listed) {
        const { id, metadata, client_reference_id: reference, payment_status: payment } = session
        const checkoutId = metadata?.['checkout_id']
        // Our checkouts carry the order id in both places; another product in the same Stripe account may use one of them.
        if (!checkoutId || checkoutId !== reference || payment === 'unpaid') continue
        const [customerId, subscriptionId] = [idOf(session.customer), idOf(session.subscription)]
        yield { sessionId: id, checkoutId, customerId, subscriptionId }
      }
    },

    async listPaidInvoices(subscriptionId) {
      const { data } = await withProviderErrors(
        stripe.invoices.list({
          subscription: subscriptionId,
          status: 'paid',
          limit: PAGE,
          expand: ['data.payments'],
        }),
      )
      return data.flatMap((invoice) => toInvoiceSnapshot(invoice) ?? [])
    },

    async readUpcomingCharge(subscriptionId) {
      const invoice = await nullIfMissing(stripe.invoices.createPreview({ subscription: subscriptionId }))
      if (!invoice) return null
      return { amount: invoice.amount_due, currency: invoice.currency, at: invoice.period_end * 1_000 }
    },

    previewChange: (subscriptionId, priceId) => withProviderErrors(previewChange(subscriptionId, priceId)),
    readPayment: (paymentIntentId) => nullIfMissing(readPayment(paymentIntentId)),

    async listRefundedOrDisputedPayments(since) {
      const created = { gte: Math.floor(since / 1_000) }
      const found = new Set<string>()
      await withProviderErrors(
        (async () => {
          for await (const { payment_intent: intent } of stripe.refunds.list({ created, limit: PAGE })) {
            found.add(idOf(intent) ?? '')
          }
          for await (const { payment_intent: intent } of stripe.disputes.list({ created, limit: PAGE })) {
            found.add(idOf(intent) ?? '')
          }
        })(),
      )
      found.delete('')
      return [...found]
    },
  }
}
