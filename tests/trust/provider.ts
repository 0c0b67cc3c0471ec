import Stripe from 'stripe'
import { request, type HttpResponse } from './http.ts'

export const WEBHOOK_PATH = '/api/stripe/webhook'
export const WEBHOOK_SECRET = 'whsec_standin'
const CARD = '4242424242424242'

export interface SignedWebhookEvent {
  body: string
  signature: string
}

/** The card provider's side: its objects through its own client, its hosted page, its signed webhook events. */
export class Provider {
  readonly stripe: Stripe
  readonly #standinsUrl: string

  constructor(standinsUrl: string) {
    this.#standinsUrl = standinsUrl
    const { hostname, port } = new URL(standinsUrl)
    this.stripe = new Stripe('sk_test_standin', {
      host: hostname,
      port: Number(port),
      protocol: 'http',
      telemetry: false,
      maxNetworkRetries: 2,
    })
  }

  /** Pays at the hosted page. Resolves with its redirect URL, null when the page refused. */
  async pay(sessionUrl: string, card = CARD): Promise<URL | null> {
    const { pathname } = new URL(sessionUrl)
    const response = await request(this.#standinsUrl, {
      method: 'POST',
      path: `${pathname}/pay`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ card }),
    })
    const redirectTo = (response.body as { redirectTo?: string } | null)?.redirectTo
    return redirectTo ? new URL(redirectTo) : null
  }

  /** All events so far, oldest first. */
  async events(): Promise<Stripe.Event[]> {
    const events: Stripe.Event[] = []
    for await (const event of this.stripe.events.list({ limit: 100 })) events.push(event)
    return events.reverse()
  }

  async sessions(): Promise<Stripe.Checkout.Session[]> {
    const sessions: Stripe.Checkout.Session[] = []
    for await (const session of this.stripe.checkout.sessions.list({ limit: 100 })) sessions.push(session)
    return sessions
  }

  async subscriptions(): Promise<Stripe.Subscription[]> {
    const subscriptions: Stripe.Subscription[] = []
    for await (const one of this.stripe.subscriptions.list({ limit: 100, status: 'all' })) subscriptions.push(one)
    return subscriptions
  }

  async refunds(): Promise<Stripe.Refund[]> {
    const refunds: Stripe.Refund[] = []
    for await (const refund of this.stripe.refunds.list({ limit: 100 })) refunds.push(refund)
    return refunds
  }

  /** Signs a webhook event as the provider does. @param ageSeconds claimed age of the signature */
  sign(event: unknown, { secret = WEBHOOK_SECRET, ageSeconds = 0, at = Date.now() } = {}): SignedWebhookEvent {
    const body = typeof event === 'string' ? event : JSON.stringify(event)
    const timestamp = Math.floor(at / 1_000) - ageSeconds
    return { body, signature: this.stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) }
  }

  /** Sends a webhook event to an instance of the site. */
  deliver(origin: string, { body, signature }: SignedWebhookEvent): Promise<HttpResponse> {
    return request(origin, {
      method: 'POST',
      path: WEBHOOK_PATH,
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body,
    })
  }
}

/** The checkout of an event, from our metadata; null for foreign ones. */
export function checkoutOf(event: Stripe.Event): string | null {
  const object = event.data.object as {
    metadata?: Record<string, string> | null
    parent?: { subscription_details?: { metadata?: Record<string, string> | null } | null } | null
  }
  return object.metadata?.['checkout_id'] ?? object.parent?.subscription_details?.metadata?.['checkout_id'] ?? null
}
