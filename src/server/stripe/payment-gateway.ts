/** What this product asks of a card provider. Amounts are minor units; instants epoch milliseconds. */
export interface PaymentGateway {
  /** The provider's price for a level, made when there is none with this amount. */
  ensurePrice(level: PricedLevel): Promise<string>
  /** Creates a hosted checkout; asking again under the same key gives the same one. */
  createCheckout(order: CheckoutOrder): Promise<CheckoutFacts>
  /** The same for amounts that are no level's: a sponsor's, or seats at an event. */
  createSingleCheckout(order: SingleOrder): Promise<CheckoutFacts>
  /** The checkout made for one of our orders, when an answer was lost. */
  findCheckout(order: { checkoutId: string; createdAt: number }): Promise<CheckoutFacts | null>
  /** null when the provider does not know it. */
  readCheckout(sessionId: string): Promise<CheckoutFacts | null>
  /** Ends an open checkout; what it says afterwards may be that it was paid in the meantime. */
  expireCheckout(sessionId: string): Promise<CheckoutFacts | null>
  readSubscription(subscriptionId: string): Promise<SubscriptionFacts | null>
  /** Every subscription that still charges, in no order: what the reconciler compares with ours. */
  listLiveSubscriptions(): AsyncIterable<LiveSubscription>
  /** Every checkout of ours, members' and sponsors', that was begun since an instant and paid. */
  listPaidCheckouts(since: number): AsyncIterable<PaidCheckout>
  /** What was paid for a subscription so far, newest first. */
  listPaidInvoices(subscriptionId: string): Promise<InvoiceFacts[]>
  /** The next automatic charge; null when there will be none. */
  readUpcomingCharge(subscriptionId: string): Promise<UpcomingCharge | null>
  /** What changing to another price costs, today and at the next charge; nothing is changed. */
  previewChange(subscriptionId: string, priceId: string): Promise<PlanChange>
  /** What came back of a payment; null when the provider does not know it. */
  readPayment(paymentIntentId: string): Promise<PaymentFacts | null>
  /** Payments of which something came back, or was disputed, since an instant. */
  listReturnedPayments(since: number): Promise<string[]>
  /** Ends a subscription at once, and makes void what it left open; one that has ended already is fine. */
  cancelSubscription(subscriptionId: string, idempotencyKey: string): Promise<void>
  /**
   * Lets a subscription end at the close of what is paid for; one that ends then already, or has ended, is fine. When a renewal is owed, that close is
   * past: it ends at once, and what is open is made void. Answers `ended` when it charges and runs no more.
   */
  cancelAtPeriodEnd(subscriptionId: string, idempotencyKey: string): Promise<'stops' | 'ended'>
  /** What went to the association's bank account, by the day it arrives (`YYYY-MM-DD`, the last excluded), oldest first. */
  listPayouts(span: { from: string; to: string }): Promise<PayoutFacts[]>
  /** What a payout is made of, oldest first; null when the provider does not know it. */
  readPayout(payoutId: string): Promise<{ payout: PayoutFacts; lines: PayoutLine[] } | null>
  /**
   * Lets a subscription charge another price of the same level from its next period on; nothing is charged or credited now. One that charges it already
   * is fine; `gone` when it has ended, or is of another level by now.
   */
  moveToPrice(subscriptionId: string, priceId: string, idempotencyKey: string): Promise<'moved' | 'gone'>
  /**
   * Makes a code that takes something off a first payment, once however often it is asked for; answers what it is known by.
   * @throws PaymentProviderError refused when the code is taken there
   */
  makeCoupon(coupon: OrderedCoupon): Promise<string>
  /** Takes a code out of use; it stays with what was paid with it. */
  endCoupon(promotionId: string): Promise<void>
  /** What the provider's pages call a level; one that was never sold is fine. */
  renameLevel(levelKey: string, name: string): Promise<void>
  /** Where the provider writes to a customer. */
  setCustomerEmail(customerId: string, email: string): Promise<void>
  /** Gives back what is left of a payment; one given back already is fine, one whose refund failed at the bank goes back again. */
  refund(paymentReference: string, idempotencyKey: string): Promise<void>
  /** Gives part of a payment back, once for each `refundId`; never more than is left of it. */
  refundPart(refund: { paymentIntentId: string; refundId: string; amount: number }): Promise<void>
  createPortal(request: {
    customerId: string
    returnUrl: string
    /** Opens the page for changing this subscription's plan. */
    changePlanOf: string | null
    /** What plans may be changed to. */
    prices: readonly string[]
  }): Promise<string>
  /** Checks a notice's signature and age. null when it is not genuine. */
  readNotice(rawBody: Buffer, signature: string, now: number): Notice | null
}

export interface PayoutFacts {
  id: string
  /** Below zero: more went back than came, and the bank account was charged. */
  amount: number
  currency: string
  /** `YYYY-MM-DD`. */
  arrivesOn: string
  state: 'on-its-way' | 'arrived' | 'failed'
}

/** What moved money within a payout: `amount` less `fee` is `net`. */
export interface PayoutLine {
  kind: 'payment' | 'refund' | 'dispute' | 'other'
  amount: number
  fee: number
  net: number
  at: number
  /** Of the payment it is about; null where it is about none. */
  paymentIntentId: string | null
  description: string
}

export interface PricedLevel {
  key: string
  name: string
  unitAmount: number
  currency: string
  interval: 'year' | 'month' | null
  intervalCount: number | null
}

export interface OrderedCoupon {
  couponId: string
  code: string
  off: { percent: number } | { amount: number; currency: string }
  levels: readonly Pick<PricedLevel, 'key' | 'name'>[]
  validUntil: number | null
  mostUses: number | null
}

export interface CheckoutOrder {
  checkoutId: string
  idempotencyKey: string
  personId: string
  levelKey: string
  mode: 'subscription' | 'payment'
  /** A price of the provider, or an amount of our own for the same level: what is left after a credit, or one term paid by hand. */
  price: { id: string } | { amount: number; currency: string; levelKey: string; name: string }
  /** null: a new customer with this address. */
  customerId: string | null
  email: string
  /** Whether its page takes codes. */
  allowsCodes: boolean
  successUrl: string
  cancelUrl: string
  expiresAt: number
}

/** One payment of an amount of our own saying, by somebody without an account. */
export interface SingleOrder {
  checkoutId: string
  idempotencyKey: string
  /** What it is for, as the provider lists it. */
  description: string
  /** What the person reads beside each amount; minor units for one. */
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

export interface CheckoutFacts {
  sessionId: string
  /** Ours, from its metadata; null on one that is not ours. */
  checkoutId: string | null
  url: string | null
  state: 'open' | 'complete' | 'expired'
  isPaid: boolean
  amountTotal: number
  /** What a code took off it; null when none was used. */
  discount: { amount: number; promotionId: string | null; code: string | null } | null
  currency: string
  customerId: string | null
  subscriptionId: string | null
  /** The invoice of a subscription, the payment intent of a single payment; null until paid. */
  paymentReference: string | null
  /** What refunds and disputes are about; null when nothing was charged. */
  paymentIntentId: string | null
  paidAt: number | null
}

export interface SubscriptionFacts {
  id: string
  customerId: string
  /** As the provider says it: active, past_due, canceled, … */
  status: string
  /** The level its price stands for; null when the price is not ours. */
  levelKey: string | null
  /** What it charges for each period, before credits and discounts; null when the provider does not say. */
  renewalAmount: number | null
  periodEndsAt: number
  cancelsAtPeriodEnd: boolean
  endedAt: number | null
  /** When the renewal that is owed was charged in vain for the first time; null when nothing is owed, or it was ended for another reason. */
  failedSince: number | null
  /** When the card is tried again. */
  nextAttemptAt: number | null
  /** What is owed since then. */
  owed: { amount: number; currency: string } | null
  /** What would be charged. */
  card: CardFacts | null
  /** The newest invoice, once it is paid. */
  lastPaid: InvoiceFacts | null
}

/** As printed on letters: 'Visa ending in 4242'. */
export interface CardFacts {
  brand: string
  last4: string
  expiresMonth: number
  expiresYear: number
}

export interface LiveSubscription {
  id: string
  /** Ours, from its metadata; null on one that is not ours. */
  checkoutId: string | null
  createdAt: number
}

export interface PaidCheckout {
  sessionId: string
  /** Of our order. */
  checkoutId: string
  customerId: string | null
  subscriptionId: string | null
}

export interface InvoiceFacts {
  id: string
  amountPaid: number
  currency: string
  paidAt: number
  paymentIntentId: string | null
  /** null when its product is not ours. */
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
  /** What the unused part of the present plan is worth. */
  credit: number
  dueToday: number
  /** What is left of the credit after today: taken off later charges. */
  creditLeft: number
  /** The next charge after today, and when. */
  nextCharge: number
  nextChargeAt: number
}

export interface PaymentFacts {
  paymentIntentId: string
  amount: number
  amountRefunded: number
  /** Of the newest refund. */
  refundedAt: number | null
  /** `won`: the money stays with us. */
  dispute: 'open' | 'won' | 'lost' | null
}

/** What a notice is about; `kind` is null for everything this product does not follow. */
export interface Notice {
  id: string
  type: string
  kind: 'checkout' | 'subscription' | 'payment' | null
  /** Of the checkout session, the subscription or the payment intent to read again. */
  objectId: string
  /** Our checkout's id in the object's metadata, null when it has none: a foreign product's, unless we know the object. */
  checkoutId: string | null
  createdAt: number
}

/**
 * A call to the provider that did not succeed. `refused`: it said no, nothing happened. `broken`: it answered that it failed, and will answer the
 * same under the same idempotency key. `unknown`: no answer; the same key may be used again.
 */
export class PaymentProviderError extends Error {
  readonly outcome: 'refused' | 'broken' | 'unknown'
  constructor(outcome: 'refused' | 'broken' | 'unknown', message: string) {
    super(message)
    this.name = 'PaymentProviderError'
    this.outcome = outcome
  }
}
