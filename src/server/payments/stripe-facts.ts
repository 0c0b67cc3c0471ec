import type Stripe from 'stripe'
import type { CheckoutFacts, Notice, SubscriptionFacts } from './payment-gateway.ts'

/** Stripe's objects in this product's words. Stripe counts seconds; we count milliseconds. */
export function toCheckoutFacts(session: Stripe.Checkout.Session): CheckoutFacts {
  const invoice = typeof session.invoice === 'object' ? session.invoice : null
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null
  const paidAt = invoice?.status_transitions?.paid_at ?? charge?.created ?? null
  return {
    sessionId: session.id,
    checkoutId: session.metadata?.['checkout_id'] ?? null,
    url: session.url,
    state: stateOf(session.status),
    isPaid: session.status === 'complete' && session.payment_status !== 'unpaid',
    amountTotal: session.amount_total ?? 0,
    currency: session.currency ?? '',
    customerId: idOf(session.customer),
    subscriptionId: idOf(session.subscription),
    paymentReference: idOf(session.invoice) ?? idOf(session.payment_intent),
    paidAt: paidAt === null ? null : paidAt * 1_000,
  }
}

function stateOf(status: Stripe.Checkout.Session['status']): CheckoutFacts['state'] {
  if (status === 'complete') return 'complete'
  return status === 'expired' ? 'expired' : 'open'
}

export function toSubscriptionFacts(subscription: Stripe.Subscription): SubscriptionFacts {
  const item = subscription.items.data[0]
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    status: subscription.status,
    levelKey: item?.price.metadata['level_key'] ?? null,
    periodEndsAt: (item?.current_period_end ?? subscription.created) * 1_000,
    cancelsAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    endedAt: subscription.ended_at === null ? null : subscription.ended_at * 1_000,
  }
}

const CHECKOUT_NOTICES = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
])

/** Which of our records a notice is about (decision C1: the object itself is read again). */
export function toNotice(event: Stripe.Event): Notice {
  const about = readSubject(event)
  // Signed, but of a shape that Stripe does not send: there is nothing to read again.
  const isReadable = isId(event.id) && isId(about.objectId) && Number.isSafeInteger(event.created)
  const kind = isReadable ? about.kind : null
  return { id: event.id, type: event.type, createdAt: event.created * 1_000, ...about, kind }
}

/** Stripe's ids are short and printable; others could not even be stored. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value)
}

function readSubject(event: Stripe.Event): Pick<Notice, 'kind' | 'objectId' | 'checkoutId'> {
  const object = event.data.object as { id?: string; metadata?: Record<string, string> | null }
  const checkoutId = object.metadata?.['checkout_id'] ?? null
  const objectId = object.id ?? ''
  if (CHECKOUT_NOTICES.has(event.type)) return { kind: 'checkout', objectId, checkoutId }
  if (event.type.startsWith('customer.subscription.')) return { kind: 'subscription', objectId, checkoutId }
  if (event.type.startsWith('invoice.')) {
    const parent = (event.data.object as Partial<Stripe.Invoice>).parent?.subscription_details
    const subscriptionId = idOf(parent?.subscription ?? null)
    if (subscriptionId) {
      return {
        kind: 'subscription',
        objectId: subscriptionId,
        checkoutId: parent?.metadata?.['checkout_id'] ?? null,
      }
    }
  }
  return { kind: null, objectId, checkoutId: null }
}

function idOf(value: string | { id: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}
