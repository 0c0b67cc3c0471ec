import type { Term } from '#contract/level-terms.ts'
/** The operations we need from a card provider. Amounts are in minor units; instants are epoch milliseconds. */
export interface PaymentGateway {
  /** Returns the provider's price id for a level; creates the price when none has this amount. */
  ensurePrice(level: PricedLevel): Promise<string>
  /** Creates a hosted checkout. Idempotent per idempotency key. */
  createCheckout(order: CheckoutRequest): Promise<CheckoutSnapshot>
  /** Same as `createCheckout`, for amounts that belong to no level: a sponsorship, or seats at an event. */
  createOneTimeCheckout(order: OneTimeCheckoutRequest): Promise<CheckoutSnapshot>
  /** Finds the checkout created for one of our orders after a response was lost. */
  findCheckout(order: { checkoutId: string; createdAt: number }): Promise<CheckoutSnapshot | null>
  /** null if the provider does not know the session. */
  readCheckout(sessionId: string): Promise<CheckoutSnapshot | null>
  /** Expires an open checkout. The result may show that it was paid in the meantime. */
  expireCheckout(sessionId: string): Promise<CheckoutSnapshot | null>
  readSubscription(subscriptionId: string): Promise<SubscriptionSnapshot | null>
  /** Lists every subscription that still charges, in no particular order, for the reconciler. */
  listLiveSubscriptions(): AsyncIterable<LiveSubscription>
  /** Lists every subscription that has not ended, of any origin, with customer and price. Stops after `limit`. */
  listForeignSubscriptions(limit: number): Promise<ForeignSubscription[]>
  /** Lists every paid checkout of ours (memberships, sponsorships, seats) created since an instant. */
  listPaidCheckouts(since: number): AsyncIterable<PaidCheckout>
  /** Paid invoices of a subscription, newest first. */
  listPaidInvoices(subscriptionId: string): Promise<InvoiceSnapshot[]>
  /** The next automatic charge, or null if there is none. */
  readUpcomingCharge(subscriptionId: string): Promise<UpcomingCharge | null>
  /** Previews the cost of changing to another price, today and at the next charge. Changes nothing. */
  previewChange(subscriptionId: string, priceId: string): Promise<PlanChange>
  /** Refunds and disputes of a payment; null if the provider does not know the payment. */
  readPayment(paymentIntentId: string): Promise<PaymentSnapshot | null>
  /** Payment intents with a refund or dispute created since an instant. */
  listRefundedOrDisputedPayments(since: number): Promise<string[]>
  /** Cancels a subscription immediately and voids its open invoices. No-op if it has already ended. */
  cancelSubscription(subscriptionId: string, idempotencyKey: string): Promise<void>
  /**
   * Cancels a subscription at the end of its paid period. No-op if that is already scheduled or the subscription has ended. When a renewal is unpaid,
   * the paid period is over: the subscription is canceled immediately and its open invoices are voided. Returns `ended` if it no longer runs or
   * charges.
   */
  cancelAtPeriodEnd(subscriptionId: string, idempotencyKey: string): Promise<'stops' | 'ended'>
  /** Payouts to the association's bank account by arrival date (`YYYY-MM-DD`, `to` is exclusive), oldest first. */
  listPayouts(span: { from: string; to: string }): Promise<PayoutSnapshot[]>
  /** What changed the balance at the provider in a span of instants, payouts left out; oldest first. */
  listBalanceLines(span: { from: number; to: number }): Promise<PayoutLine[]>
  /** A payout with its balance transactions, oldest first; null if the provider does not know it. */
  readPayout(payoutId: string): Promise<{ payout: PayoutSnapshot; lines: PayoutLine[] } | null>
  /**
   * Switches a subscription to another price of the same level from its next period, without proration. Idempotent. Returns `gone` if it has ended or
   * now belongs to another level.
   */
  switchPrice(subscriptionId: string, priceId: string, idempotencyKey: string): Promise<'moved' | 'gone'>
  /**
   * Creates a promotion code for a discount on a first payment and returns its id. Idempotent.
   * @throws PaymentProviderError `refused` if the code
   * already exists at the provider
   */
  createCoupon(coupon: NewPromotionCode): Promise<string>
  /** Deactivates a promotion code. Payments that used it are unchanged. */
  deactivateCoupon(promotionId: string): Promise<void>
  /** Renames a level's product at the provider. No-op for a level that was never sold. */
  renameLevel(levelKey: string, name: string): Promise<void>
  /** Sets the address that the provider emails. */
  setCustomerEmail(customerId: string, email: string): Promise<void>
  /** Refunds the rest of a payment. No-op if it is fully refunded; a refund that failed at the bank is made again. */
  refund(paymentReference: string, idempotencyKey: string): Promise<void>
  /** Refunds part of a payment, once per `refundId`, capped at the unrefunded amount. */
  refundPartially(refund: { paymentIntentId: string; refundId: string; amount: number }): Promise<void>
  createPortal(request: {
    customerId: string
    returnUrl: string
    /** Opens the portal at the plan change page of this subscription. */
    changePlanOf: string | null
    /** The prices that a plan may be changed to. */
    prices: readonly string[]
  }): Promise<string>
  /** Verifies a webhook's signature and timestamp; null if invalid. */
  parseWebhookEvent(rawBody: Buffer, signature: string, now: number): WebhookEvent | null
}

export interface PayoutSnapshot {
  id: string
  /** Negative when refunds and disputes exceeded payments and the bank account was charged. */
  amount: number
  currency: string
  /** `YYYY-MM-DD`. */
  arrivesOn: string
  state: 'on-its-way' | 'arrived' | 'failed'
}

/** A balance transaction within a payout: `net` is `amount` minus `fee`. */
export interface PayoutLine {
  kind: 'payment' | 'refund' | 'dispute' | 'other'
  amount: number
  fee: number
  net: number
  at: number
  /** The payment that this line belongs to; null if there is none. */
  paymentIntentId: string | null
  description: string
}

export interface PricedLevel extends Term {
  key: string
  name: string
  unitAmount: number
  currency: string
}

export interface NewPromotionCode {
  couponId: string
  code: string
  off: { percent: number } | { amount: number; currency: string }
  levels: readonly Pick<PricedLevel, 'key' | 'name'>[]
  validUntil: number | null
  mostUses: number | null
}

export interface CheckoutRequest {
  checkoutId: string
  idempotencyKey: string
  personId: string
  levelKey: string
  mode: 'subscription' | 'payment'
  /** A price at the provider, or an amount of our own for the same level: the rest after a credit, or one term paid manually. */
  price: { id: string } | { amount: number; currency: string; levelKey: string; name: string }
  /** null creates a new customer with this address. */
  customerId: string | null
  email: string
  /** Whether the checkout page accepts promotion codes. */
  allowsCodes: boolean
  successUrl: string
  cancelUrl: string
  expiresAt: number
}

/** A one-time payment of an amount that we set, by a payer without an account. */
export interface OneTimeCheckoutRequest {
  checkoutId: string
  idempotencyKey: string
  /** Description shown in the provider's dashboard. */
  description: string
  /** Line items on the checkout page; amounts are per unit, in minor units. */
  lines: readonly OrderLine[]
  currency: string
  email: string
  successUrl: string
  cancelUrl: string
  expiresAt: number
}

export interface OrderLine {
  name: string
  amount: number
  quantity: number
}

export interface CheckoutSnapshot {
  sessionId: string
  /** Our order's id from the metadata; null if the checkout is not ours. */
  checkoutId: string | null
  url: string | null
  state: 'open' | 'complete' | 'expired'
  isPaid: boolean
  amountTotal: number
  /** The discount of a promotion code; null if none was used. */
  discount: { amount: number; promotionId: string | null; code: string | null } | null
  currency: string
  customerId: string | null
  subscriptionId: string | null
  /** The invoice of a subscription or the payment intent of a single payment; null until paid. */
  paymentReference: string | null
  /** Identifies the payment in refunds and disputes; null if nothing was charged. */
  paymentIntentId: string | null
  paidAt: number | null
}

export interface SubscriptionSnapshot {
  id: string
  customerId: string
  /** The provider's own status: active, past_due, canceled, … */
  status: string
  /** The level of its price; null if the price is not ours. */
  levelKey: string | null
  /** The charge per period before credits and discounts; null if the provider does not report it. */
  renewalAmount: number | null
  startedAt: number
  periodEndsAt: number
  /** Also for an end set to any moment up to then; false while renewals come before its end. */
  cancelsAtPeriodEnd: boolean
  endedAt: number | null
  /** When the unpaid renewal first failed; null if nothing is owed or the subscription ended for another reason. */
  failedSince: number | null
  /** When the card is retried. */
  nextAttemptAt: number | null
  /** The amount of the unpaid renewal. */
  amountDue: { amount: number; currency: string } | null
  /** The card that would be charged. */
  card: PaymentCard | null
  /** The newest invoice, if it is paid. */
  lastPaid: InvoiceSnapshot | null
}

/** Printed in emails as 'Visa ending in 4242'. */
export interface PaymentCard {
  brand: string
  last4: string
  expiresMonth: number
  expiresYear: number
}

export interface LiveSubscription {
  id: string
  /** Our order's id from the metadata; null if the subscription is not ours. */
  checkoutId: string | null
  createdAt: number
}

/** A subscription in the association's own account at the provider, which may be of an earlier system. */
export interface ForeignSubscription {
  snapshot: Omit<SubscriptionSnapshot, 'lastPaid' | 'card'>
  /** The customer's address; null if the customer has none or was deleted. */
  email: string | null
  /** Whether this site, or another copy of it, sold it: by its metadata, its price or its product. */
  isOurs: boolean
  items: number
  /** Name of the product, and of the price if it has one. */
  name: string
  currency: string
  /** How long each term lasts; null if it is not counted in months. */
  months: number | null
  /** Why it is not charged to a card at one price until it is canceled, or canceled at the end of its term; null if it is. */
  obstacle: 'invoices' | 'paused' | 'schedule' | 'ends-later' | null
}

export interface PaidCheckout {
  sessionId: string
  /** The id of our order. */
  checkoutId: string
  customerId: string | null
  subscriptionId: string | null
}

export interface InvoiceSnapshot {
  id: string
  amountPaid: number
  currency: string
  paidAt: number
  paymentIntentId: string | null
  /** null if its product is not ours. */
  levelKey: string | null
  purpose: 'start' | 'renewal' | 'change'
  periodEndsAt: number
}

export interface UpcomingCharge {
  amount: number
  currency: string
  at: number
}

export interface PlanChange {
  currency: string
  /** The value of the unused part of the current plan. */
  credit: number
  dueToday: number
  /** The rest of the credit after today; it lowers later charges. */
  creditLeft: number
  /** The next charge after today, and its time. */
  nextCharge: number
  nextChargeAt: number
}

export interface PaymentSnapshot {
  paymentIntentId: string
  amount: number
  amountRefunded: number
  /** Time of the newest refund. */
  refundedAt: number | null
  /** `won`: we keep the money. */
  dispute: 'open' | 'won' | 'lost' | null
}

/** A verified webhook event; `kind` is null for events that we do not handle. */
export interface WebhookEvent {
  id: string
  type: string
  kind: 'checkout' | 'subscription' | 'payment' | null
  /** The checkout session, subscription or payment intent to fetch. */
  objectId: string
  /** Our checkout id in the object's metadata. null if there is none: the object belongs to another product, unless we know its id. */
  checkoutId: string | null
  createdAt: number
}

/**
 * A failed call to the provider. `refused`: rejected, nothing happened. `broken`: the provider reported its own failure and will repeat it for the
 * same idempotency key. `unknown`: no response; the same key may be retried.
 */
export class PaymentProviderError extends Error {
  readonly outcome: 'refused' | 'broken' | 'unknown'
  constructor(outcome: 'refused' | 'broken' | 'unknown', message: string) {
    super(message)
    this.name = 'PaymentProviderError'
    this.outcome = outcome
  }
}
