import type { Stripe } from 'stripe'
import type { Clock } from '../clock.ts'
import { newId } from '../ids.ts'
import type { Collection, Store } from '../store.ts'
import type { AppliedDiscount } from './billing/coupons.ts'
import { toId } from './objects.ts'

export const API_VERSION = '2026-10-28.endive'

/** Internal data of a checkout session. */
export type CheckoutDraft = {
  id: string
  lines: Stripe.LineItem[]
  subscription: { metadata: Record<string, string>; description: string | null }
  payment: {
    metadata: Record<string, string>
    description: string | null
    receiptEmail: string | null
    savesCard: boolean
  }
  /** The payment started with a declined card, to be reused. */
  paymentIntent: string | null
  /** Of the code entered on the hosted page. */
  discount?: AppliedDiscount | null
}

type PendingLine = { amount: number; description: string; price: string; start: number; end: number }

/** Internal billing data of a subscription. */
export type BillingState = {
  id: string
  /** The invoice that could not be charged, the number of retries, and the next attempt. */
  openInvoice: string | null
  retries: number
  nextRetryAt: number | null
  /** The period end for which `invoice.upcoming` was already sent. */
  announcedFor: number | null
  /** Prorations for the next invoice. */
  pendingLines: PendingLine[]
}

export type StoredEvent = { id: string; type: string; created: number; payload: string }

/** All objects of the stand-in's Stripe account. */
export type Account = {
  customers: Collection<Stripe.Customer | Stripe.DeletedCustomer>
  products: Collection<Stripe.Product>
  prices: Collection<Stripe.Price>
  paymentMethods: Collection<Stripe.PaymentMethod>
  sessions: Collection<Stripe.Checkout.Session>
  drafts: Collection<CheckoutDraft>
  subscriptions: Collection<Stripe.Subscription>
  billing: Collection<BillingState>
  invoices: Collection<Stripe.Invoice>
  invoicePayments: Collection<Stripe.InvoicePayment>
  paymentIntents: Collection<Stripe.PaymentIntent>
  charges: Collection<Stripe.Charge>
  refunds: Collection<Stripe.Refund>
  disputes: Collection<Stripe.Dispute>
  payouts: Collection<Stripe.Payout>
  portalConfigurations: Collection<Stripe.BillingPortal.Configuration>
  portalSessions: Collection<Stripe.BillingPortal.Session>
  coupons: Collection<Stripe.Coupon>
  /** The products a coupon applies to, included in its object only when expanded; null: all. */
  couponScopes: Collection<{ id: string; products: string[] | null }>
  promotionCodes: Collection<Stripe.PromotionCode>
  discounts: Collection<Stripe.Discount>
  events: Collection<StoredEvent>
  /** Base URL of the hosted pages. */
  publicUrl: string
  /** Epoch seconds: the clock, or inside `at` the moment being processed. */
  seconds(): number
  at<T>(seconds: number, work: () => T): T
  emit(type: string, object: object, previous?: Record<string, unknown>): void
  /** The API request that causes the events inside `work`. */
  during<T>(request: { id: string; idempotency_key: string | null }, work: () => T): T
}

const MOST_EVENTS = 60_000

type AccountParts = { store: Store; clock: Clock; publicUrl: string; onEvent: (event: StoredEvent) => void }

export function openAccount({ store, clock, publicUrl, onEvent }: AccountParts): Account {
  let momentBeingWorkedOn: number | null = null
  let request: { id: string | null; idempotency_key: string | null } = { id: null, idempotency_key: null }
  const events = store.collection<StoredEvent>('events', { indexes: { type: (event) => event.type } })

  function seconds(): number {
    return momentBeingWorkedOn ?? Math.floor(clock.now() / 1000)
  }

  return {
    customers: store.collection<Stripe.Customer | Stripe.DeletedCustomer>('customers', {
      indexes: { email: (customer) => (customer.deleted ? null : customer.email) },
    }),
    products: store.collection<Stripe.Product>('products'),
    prices: store.collection<Stripe.Price>('prices', {
      indexes: { lookup_key: (price) => price.lookup_key, product: (price) => toId(price.product) },
    }),
    paymentMethods: store.collection<Stripe.PaymentMethod>('paymentMethods', {
      indexes: { customer: (method) => toId(method.customer) },
    }),
    sessions: store.collection<Stripe.Checkout.Session>('sessions', {
      indexes: {
        customer: (session) => toId(session.customer),
        subscription: (session) => toId(session.subscription),
        payment_intent: (session) => toId(session.payment_intent),
        status: (session) => session.status,
      },
    }),
    drafts: store.collection<CheckoutDraft>('drafts'),
    subscriptions: store.collection<Stripe.Subscription>('subscriptions', {
      indexes: { customer: (subscription) => toId(subscription.customer), status: ({ status }) => status },
    }),
    billing: store.collection<BillingState>('billing'),
    invoices: store.collection<Stripe.Invoice>('invoices', {
      indexes: { customer: (invoice) => toId(invoice.customer), subscription: findSubscriptionId },
    }),
    invoicePayments: store.collection<Stripe.InvoicePayment>('invoicePayments', {
      indexes: {
        invoice: (payment) => toId(payment.invoice),
        payment_intent: (payment) => toId(payment.payment.payment_intent),
      },
    }),
    paymentIntents: store.collection<Stripe.PaymentIntent>('paymentIntents', {
      indexes: { customer: (intent) => toId(intent.customer) },
    }),
    charges: store.collection<Stripe.Charge>('charges', {
      indexes: {
        payment_intent: (charge) => toId(charge.payment_intent),
        customer: (charge) => toId(charge.customer),
      },
    }),
    refunds: store.collection<Stripe.Refund>('refunds', {
      indexes: {
        payment_intent: (refund) => toId(refund.payment_intent),
        charge: (refund) => toId(refund.charge),
      },
    }),
    disputes: store.collection<Stripe.Dispute>('disputes', {
      indexes: {
        payment_intent: (dispute) => toId(dispute.payment_intent),
        charge: (dispute) => toId(dispute.charge),
      },
    }),
    payouts: store.collection<Stripe.Payout>('payouts'),
    portalConfigurations: store.collection<Stripe.BillingPortal.Configuration>('portalConfigurations'),
    portalSessions: store.collection<Stripe.BillingPortal.Session>('portalSessions'),
    coupons: store.collection<Stripe.Coupon>('coupons'),
    couponScopes: store.collection<{ id: string; products: string[] | null }>('couponScopes'),
    promotionCodes: store.collection<Stripe.PromotionCode>('promotionCodes', {
      indexes: { code: (code) => code.code.toLowerCase() },
    }),
    discounts: store.collection<Stripe.Discount>('discounts'),
    events,
    publicUrl,
    seconds,
    at(moment, work) {
      const before = momentBeingWorkedOn
      momentBeingWorkedOn = moment
      try {
        return work()
      } finally {
        momentBeingWorkedOn = before
      }
    },
    during(cause, work) {
      request = cause
      try {
        return work()
      } finally {
        request = { id: null, idempotency_key: null }
      }
    },
    emit(type, object, previous) {
      const id = newId('evt_')
      const created = seconds()
      const data = previous ? { object, previous_attributes: previous } : { object }
      const payload = JSON.stringify({
        id,
        object: 'event',
        api_version: API_VERSION,
        created,
        data,
        livemode: false,
        pending_webhooks: 1,
        request,
        type,
      })
      const event = events.put({ id, type, created, payload })
      if (events.size() > MOST_EVENTS) events.remove(events.all()[0]!.id)
      onEvent(event)
    },
  }
}

/** Changes an object, emits an event of `type` with the previous values, and returns the object. */
export function change<T extends { id: string }>(
  account: Account,
  { collection, item, fields, type }: { collection: Collection<T>; item: T; fields: Partial<T>; type?: string },
): T {
  const names = (Object.keys(fields) as (keyof T)[]).filter(
    (name) => JSON.stringify(item[name]) !== JSON.stringify(fields[name]),
  )
  if (names.length === 0) return item
  const changed = collection.put({ ...item, ...fields })
  if (type) account.emit(type, changed, Object.fromEntries(names.map((name) => [name, item[name]])))
  return changed
}

export function findSubscriptionId(invoice: Stripe.Invoice): string | null {
  return toId(invoice.parent?.subscription_details?.subscription)
}
