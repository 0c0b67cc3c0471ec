import Stripe from 'stripe'
import type { Config } from '#server/config/config.ts'
import type { PaymentGateway, PricedLevel } from './payment-gateway.ts'
import { stripeOptions } from './stripe-gateway.ts'
import { idOf, toSubscriptionSnapshot } from './stripe-mapping.ts'

/**
 * Creates an active subscription for a sample member, paid with the provider's test card. Returns null with a live key or when the provider is
 * unreachable; the sample then has a term without a subscription.
 */
export async function createSampleSubscription(
  config: Config['stripe'],
  gateway: PaymentGateway,
  { email, name, level }: { email: string; name: string; level: PricedLevel },
): Promise<{ subscriptionId: string; customerId: string; periodEndsAt: number; invoiceId: string | null } | null> {
  if (config.live) return null
  try {
    const stripe = new Stripe(config.secretKey, stripeOptions(config))
    const price = await gateway.ensurePrice(level)
    const customer = await stripe.customers.create({
      email,
      name,
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    })
    const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price }] })
    const { id, periodEndsAt } = toSubscriptionSnapshot(subscription)
    return { subscriptionId: id, customerId: customer.id, periodEndsAt, invoiceId: idOf(subscription.latest_invoice) }
  } catch {
    return null
  }
}
