import Stripe from 'stripe'
import type { Config } from '#server/config/config.ts'
import type { CheckoutRequest, PaymentGateway, OneTimeCheckoutRequest } from './payment-gateway.ts'
import { createStripeBilling } from './stripe-billing.ts'
import { createStripeCatalog } from './stripe-catalog.ts'
import { createStripeCancellation, hasEnded } from './stripe-cancellation.ts'
import { createStripeRefunds } from './stripe-refunds.ts'
import { createStripePayouts } from './stripe-payouts.ts'
import { isMissing, toProviderError, withProviderErrors, nullIfMissing } from './stripe-errors.ts'
import { idOf, LEVEL_PRODUCT_PREFIX, toCheckoutSnapshot, toWebhookEvent } from './stripe-mapping.ts'

// A visitor waits at most 10 s for the result: one call, one retry, and some time for the work before it.
const TIMEOUT_MS = 3_500
const RETRIES = 1
/** The discard port of this machine, where nothing listens. */
const NOWHERE = 'http://127.0.0.1:9'
const WEBHOOK_TOLERANCE_SECONDS = 300
const LOOKUP_SLACK_SECONDS = 600
/** Increase when the portal's features change. Existing configurations are not modified. */
const PORTAL_VERSION = 'v2'
const SESSION_EXPANSIONS = ['invoice.payments', 'payment_intent.latest_charge', 'discounts.promotion_code']

/** Implements the gateway with Stripe's client. Stripe and its stand-in differ only in the API address. */
export function createStripeGateway({ secretKey, webhookSecret, apiUrl, live }: Config['stripe']): PaymentGateway {
  const stripe = secretKey === '' ? withoutProvider() : new Stripe(secretKey, stripeOptions({ apiUrl }))

  const billing = createStripeBilling(stripe)
  const { ensureProduct, ...catalog } = createStripeCatalog(stripe)

  async function lineOf({ price }: CheckoutRequest): Promise<Stripe.Checkout.SessionCreateParams.LineItem> {
    if ('id' in price) return { price: price.id, quantity: 1 }
    const product = await ensureProduct({ key: price.levelKey, name: price.name })
    return { price_data: { product, currency: price.currency, unit_amount: price.amount }, quantity: 1 }
  }

  async function createCheckout(order: CheckoutRequest): Promise<Stripe.Checkout.Session> {
    const metadata = { checkout_id: order.checkoutId, person_id: order.personId, level_key: order.levelKey }
    const isSubscription = order.mode === 'subscription'
    return stripe.checkout.sessions.create(
      {
        mode: order.mode,
        line_items: [await lineOf(order)],
        client_reference_id: order.checkoutId,
        metadata,
        success_url: order.successUrl,
        cancel_url: order.cancelUrl,
        expires_at: Math.floor(order.expiresAt / 1_000),
        ...(order.customerId ? { customer: order.customerId } : { customer_email: order.email }),
        // Omitted unless needed: a retry with the same idempotency key must send the same parameters.
        ...(order.allowsCodes && { allow_promotion_codes: true }),
        ...(isSubscription && { subscription_data: { metadata } }),
        ...(!isSubscription && {
          payment_intent_data: { metadata },
          ...(!order.customerId && { customer_creation: 'always' as const }),
        }),
      },
      { idempotencyKey: order.idempotencyKey },
    )
  }

  function createSingleCheckout(order: OneTimeCheckoutRequest): Promise<Stripe.Checkout.Session> {
    const { description, lines, currency } = order
    const metadata = { checkout_id: order.checkoutId }
    return stripe.checkout.sessions.create(
      {
        mode: 'payment',
        line_items: lines.map(({ name, amount, quantity }) => ({
          price_data: { currency, unit_amount: amount, product_data: { name } },
          quantity,
        })),
        client_reference_id: order.checkoutId,
        metadata,
        payment_intent_data: { metadata, description },
        customer_email: order.email,
        success_url: order.successUrl,
        cancel_url: order.cancelUrl,
        expires_at: Math.floor(order.expiresAt / 1_000),
      },
      { idempotencyKey: order.idempotencyKey },
    )
  }

  /** There is one portal configuration per set of prices that a plan may be changed to. */
  async function ensurePortalConfiguration(prices: readonly string[]): Promise<string> {
    const fingerprint = [PORTAL_VERSION, ...[...prices].sort()].join(',')
    for await (const configuration of stripe.billingPortal.configurations.list({ active: true, limit: 100 })) {
      if (configuration.metadata?.['prices'] === fingerprint) return configuration.id
    }
    const found = await Promise.all(prices.map((price) => stripe.prices.retrieve(price)))
    const created = await stripe.billingPortal.configurations.create({
      metadata: { prices: fingerprint },
      features: {
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
        subscription_update: {
          enabled: prices.length > 0,
          default_allowed_updates: ['price'],
          // The cost of a change is charged with the change, not at the next renewal.
          proration_behavior: 'always_invoice',
          products: found.map(({ id, product }) => ({
            product: typeof product === 'string' ? product : product.id,
            prices: [id],
          })),
        },
      },
    })
    return created.id
  }

  return {
    ...billing,
    ...catalog,
    ...createStripeCancellation(stripe),
    ...createStripePayouts(stripe),
    ...createStripeRefunds(stripe, billing.readPayment),
    createCheckout: async (order) => toCheckoutSnapshot(await withProviderErrors(createCheckout(order))),
    createOneTimeCheckout: async (order) => toCheckoutSnapshot(await withProviderErrors(createSingleCheckout(order))),

    async findCheckout({ checkoutId, createdAt }) {
      const gte = Math.floor(createdAt / 1_000) - LOOKUP_SLACK_SECONDS
      return withProviderErrors(
        (async () => {
          for await (const session of stripe.checkout.sessions.list({ created: { gte }, limit: 100 })) {
            if (session.metadata?.['checkout_id'] === checkoutId) return toCheckoutSnapshot(session)
          }
          return null
        })(),
      )
    },

    async readCheckout(sessionId) {
      const session = await nullIfMissing(stripe.checkout.sessions.retrieve(sessionId, { expand: SESSION_EXPANSIONS }))
      return session && toCheckoutSnapshot(session)
    },

    async expireCheckout(sessionId) {
      try {
        return toCheckoutSnapshot(await stripe.checkout.sessions.expire(sessionId))
      } catch (error) {
        // No longer open: return its current state.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw toProviderError(error)
        const session = await nullIfMissing(
          stripe.checkout.sessions.retrieve(sessionId, { expand: SESSION_EXPANSIONS }),
        )
        return session && toCheckoutSnapshot(session)
      }
    },

    switchPrice: (subscriptionId, priceId, idempotencyKey) =>
      withProviderErrors(moveToPrice(subscriptionId, priceId, idempotencyKey)),

    async setCustomerEmail(customerId, email) {
      await withProviderErrors(stripe.customers.update(customerId, { email }))
    },

    async createPortal({ customerId, returnUrl, changePlanOf, prices }) {
      const portal = await withProviderErrors(
        (async () =>
          stripe.billingPortal.sessions.create({
            customer: customerId,
            return_url: returnUrl,
            configuration: await ensurePortalConfiguration(prices),
            ...(changePlanOf && {
              flow_data: { type: 'subscription_update', subscription_update: { subscription: changePlanOf } },
            }),
          }))(),
      )
      return portal.url
    },

    parseWebhookEvent(rawBody, signature, now) {
      try {
        const event = stripe.webhooks.constructEvent(
          rawBody,
          signature,
          webhookSecret,
          WEBHOOK_TOLERANCE_SECONDS,
          undefined,
          now,
        )
        return event.livemode === live ? toWebhookEvent(event) : null
      } catch {
        return null
      }
    },
  }

  async function moveToPrice(subscriptionId: string, priceId: string, idempotencyKey: string) {
    const [subscription, price] = await Promise.all([
      stripe.subscriptions.retrieve(subscriptionId).catch((error: unknown) => {
        if (isMissing(error)) return null
        throw error
      }),
      stripe.prices.retrieve(priceId),
    ])
    const item = subscription?.items.data[0]
    if (!subscription || !item || hasEnded(subscription)) return 'gone'
    if (item.price.id === priceId) return 'moved'
    const product = idOf(item.price.product)
    // A product that is not a level's is of an earlier system, whose subscription was imported at this level.
    if (product !== idOf(price.product) && product?.startsWith(LEVEL_PRODUCT_PREFIX)) return 'gone'
    await stripe.subscriptions.update(
      subscriptionId,
      { items: [{ id: item.id, price: priceId }], proration_behavior: 'none' },
      { idempotencyKey },
    )
    return 'moved'
  }
}

/** Client options shared by all users of Stripe's client. */
/** The client of a site that is being set up: no call gets a response. */
function withoutProvider(): Stripe {
  return new Stripe('sk_test_none', { ...stripeOptions({ apiUrl: NOWHERE }), maxNetworkRetries: 0 })
}

export function stripeOptions({ apiUrl }: Pick<Config['stripe'], 'apiUrl'>): StripeConfig {
  return { timeout: TIMEOUT_MS, maxNetworkRetries: RETRIES, telemetry: false, ...(apiUrl && addressOf(apiUrl)) }
}

type StripeConfig = NonNullable<ConstructorParameters<typeof Stripe>[1]>

function addressOf(apiUrl: string): { host: string; port: number; protocol: 'http' | 'https' } {
  const { hostname, port, protocol } = new URL(apiUrl)
  const isHttp = protocol === 'http:'
  return { host: hostname, port: Number(port) || (isHttp ? 80 : 443), protocol: isHttp ? 'http' : 'https' }
}
