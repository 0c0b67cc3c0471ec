import Stripe from 'stripe'
import type { Config } from '#server/config/config.ts'
import { withProviderErrors } from './stripe-errors.ts'
import { stripeOptions } from './stripe-gateway.ts'

/** What the site has to hear of; see "Stripe" in docs/running.md. */
const WEBHOOK_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[]

/** Of no order. */
const TEST_CHECKOUT_ID = 'test-of-the-connection'

type Account = Pick<Config['stripe'], 'secretKey' | 'apiUrl'>

/**
 * Creates the webhook of the site and returns its signing secret, which Stripe tells only now; so another one with the same URL is deleted.
 * @throws PaymentProviderError
 */
export async function createStripeWebhook({ secretKey, apiUrl }: Account, url: string): Promise<string> {
  const stripe = new Stripe(secretKey, stripeOptions({ apiUrl }))
  return withProviderErrors(create())

  async function create(): Promise<string> {
    const { data: known } = await stripe.webhookEndpoints.list({ limit: 100 })
    const { secret = '' } = await stripe.webhookEndpoints.create({ url, enabled_events: [...WEBHOOK_EVENTS] })
    for (const endpoint of known) if (endpoint.url === url) await stripe.webhookEndpoints.del(endpoint.id)
    return secret
  }
}

/**
 * Makes Stripe send an event: a checkout page that no one sees is created and closed at once, and nothing is paid.
 * @throws PaymentProviderError
 */
export async function sendTestEvent(
  { secretKey, apiUrl }: Account,
  { siteUrl, currency }: { siteUrl: string; currency: string },
): Promise<void> {
  const stripe = new Stripe(secretKey, stripeOptions({ apiUrl }))
  await withProviderErrors(send())

  async function send(): Promise<void> {
    const line = { currency, unit_amount: 1_000, product_data: { name: 'Test of the connection' } }
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price_data: line, quantity: 1 }],
      success_url: siteUrl,
      cancel_url: siteUrl,
      // Events without one belong to other products of the account, and are ignored.
      metadata: { checkout_id: TEST_CHECKOUT_ID },
    })
    await stripe.checkout.sessions.expire(session.id)
  }
}
