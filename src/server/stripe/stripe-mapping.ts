import type Stripe from 'stripe'
import type {
  PaymentCard,
  CheckoutSnapshot,
  InvoiceSnapshot,
  WebhookEvent,
  SubscriptionSnapshot,
} from './payment-gateway.ts'

/** Maps Stripe's objects to our types. Stripe uses seconds; we use milliseconds. */
export function toCheckoutSnapshot(session: Stripe.Checkout.Session): CheckoutSnapshot {
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
    discount: discountOf(session),
    currency: session.currency ?? '',
    customerId: idOf(session.customer),
    subscriptionId: idOf(session.subscription),
    paymentReference: idOf(session.invoice) ?? idOf(session.payment_intent),
    paymentIntentId: intentOf(invoice) ?? idOf(session.payment_intent),
    paidAt: paidAt === null ? null : paidAt * 1_000,
  }
}

function discountOf({ total_details: details, discounts }: Stripe.Checkout.Session): CheckoutSnapshot['discount'] {
  const amount = details?.amount_discount ?? 0
  if (amount === 0) return null
  const code = discounts?.[0]?.promotion_code ?? null
  return { amount, promotionId: idOf(code), code: code !== null && typeof code === 'object' ? code.code : null }
}

function stateOf(status: Stripe.Checkout.Session['status']): CheckoutSnapshot['state'] {
  if (status === 'complete') return 'complete'
  return status === 'expired' ? 'expired' : 'open'
}

/** Expanded when a subscription is read: its latest invoice, and the card that would be charged. */
export const SUBSCRIPTION_EXPANSIONS = [
  'latest_invoice.payments',
  'default_payment_method',
  'customer.invoice_settings.default_payment_method',
]

export function toSubscriptionSnapshot(subscription: Stripe.Subscription): SubscriptionSnapshot {
  const item = subscription.items.data[0]
  const invoice = typeof subscription.latest_invoice === 'object' ? subscription.latest_invoice : null
  const owed = owesRenewal(subscription) && invoice?.status !== 'paid' ? invoice : null
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    status: subscription.status,
    levelKey: item?.price.metadata['level_key'] ?? null,
    renewalAmount: item ? amountOf(item) : null,
    startedAt: subscription.start_date * 1_000,
    periodEndsAt: (item?.current_period_end ?? subscription.created) * 1_000,
    cancelsAtPeriodEnd: endOf(subscription) === 'period-end',
    endedAt: toInstant(subscription.ended_at),
    failedSince: owed && toInstant(owed.status_transitions.finalized_at ?? owed.created),
    nextAttemptAt: owed && toInstant(owed.next_payment_attempt),
    amountDue: owed && { amount: owed.amount_remaining, currency: owed.currency },
    card: cardOf(subscription),
    lastPaid: invoice && toInvoiceSnapshot(invoice),
  }
}

/** Cancellation times are typed in by hand at Stripe: within a day of the period's end means its end. */
const TOLERANCE_SECONDS = 86_400

/** Whether a subscription is set to end with its current period or before, only after further renewals, or not at all. */
export function endOf(subscription: Stripe.Subscription): 'period-end' | 'later' | null {
  const { cancel_at: at, cancel_at_period_end: isAtPeriodEnd } = subscription
  if (isAtPeriodEnd) return 'period-end'
  if (at === null) return null
  const periodEnd = subscription.items.data[0]?.current_period_end ?? at
  return at > periodEnd + TOLERANCE_SECONDS ? 'later' : 'period-end'
}

function amountOf({ price, quantity }: Stripe.SubscriptionItem): number | null {
  return price.unit_amount === null ? null : price.unit_amount * (quantity ?? 1)
}

/** Whether a failed renewal is still unpaid: it is being retried, or it ended the subscription. */
function owesRenewal({ status, cancellation_details: details }: Stripe.Subscription): boolean {
  return status === 'past_due' || status === 'unpaid' || (status === 'canceled' && details?.reason === 'payment_failed')
}

function cardOf({ default_payment_method: own, customer }: Stripe.Subscription): PaymentCard | null {
  const shared =
    typeof customer === 'object' && !customer.deleted ? customer.invoice_settings.default_payment_method : null
  const method = own ?? shared
  const card = method && typeof method === 'object' ? method.card : null
  if (!card) return null
  return { brand: card.brand, last4: card.last4, expiresMonth: card.exp_month, expiresYear: card.exp_year }
}

const PURPOSES: Record<string, InvoiceSnapshot['purpose']> = {
  subscription_create: 'start',
  subscription_update: 'change',
}

/** null for an invoice that is unpaid or was for a zero amount. */
export function toInvoiceSnapshot(invoice: Stripe.Invoice): InvoiceSnapshot | null {
  const paidAt = toInstant(invoice.status_transitions?.paid_at ?? null)
  if (invoice.status !== 'paid' || paidAt === null || invoice.amount_paid === 0 || !invoice.id) return null
  // The line with the highest amount is the purchase; the others are credits and prorations.
  const [line] = invoice.lines.data.toSorted((a, b) => b.amount - a.amount)
  const product = idOf(line?.pricing?.price_details?.product)
  return {
    id: invoice.id,
    amountPaid: invoice.amount_paid,
    currency: invoice.currency,
    paidAt,
    paymentIntentId: intentOf(invoice),
    levelKey: product?.startsWith(LEVEL_PRODUCT_PREFIX) ? product.slice(LEVEL_PRODUCT_PREFIX.length) : null,
    purpose: PURPOSES[invoice.billing_reason ?? ''] ?? 'renewal',
    periodEndsAt: (line?.period.end ?? invoice.period_end) * 1_000,
  }
}

/** Prefix of the product ids of levels. */
export const LEVEL_PRODUCT_PREFIX = 'level_'

function intentOf(invoice: Stripe.Invoice | null): string | null {
  return idOf(invoice?.payments?.data[0]?.payment.payment_intent)
}

/** Whether a refund costs us money. One that failed at the bank or was canceled does not. */
export function isSucceededOrPending({ status }: Stripe.Refund): boolean {
  return status !== 'failed' && status !== 'canceled'
}

export function toInstant(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1_000
}

const CHECKOUT_EVENTS = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
])

/** Maps an event to the record it concerns (docs/product-rules.md#activation). */
export function toWebhookEvent(event: Stripe.Event): WebhookEvent {
  const subject = readSubject(event)
  // Signed, but malformed: there is no object to fetch.
  const isReadable = isId(event.id) && isId(subject.objectId) && Number.isSafeInteger(event.created)
  const kind = isReadable ? subject.kind : null
  return { id: event.id, type: event.type, createdAt: event.created * 1_000, ...subject, kind }
}

/** Stripe's ids are short printable ASCII. Anything else could not even be stored. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value)
}

function readSubject(event: Stripe.Event): Pick<WebhookEvent, 'kind' | 'objectId' | 'checkoutId'> {
  const object = event.data.object as { id?: string; metadata?: Record<string, string> | null }
  const checkoutId = object.metadata?.['checkout_id'] ?? null
  const objectId = object.id ?? ''
  if (CHECKOUT_EVENTS.has(event.type)) return { kind: 'checkout', objectId, checkoutId }
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
  if (/^(charge\.(refund|dispute\.)|refund\.)/.test(event.type)) {
    const { payment_intent: intent } = event.data.object as { payment_intent?: string | { id: string } | null }
    return { kind: 'payment', objectId: idOf(intent) ?? '', checkoutId: null }
  }
  return { kind: null, objectId, checkoutId: null }
}

export function idOf(value: string | { id: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}
