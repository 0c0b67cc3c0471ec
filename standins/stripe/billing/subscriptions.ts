import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import type { AppliedDiscount } from './coupons.ts'
import { requireCustomer } from '../customers.ts'
import { StripeFailure, noSuch } from '../errors.ts'
import type { LineParts } from './invoice-object.ts'
import { closeInvoice, createInvoice, finalizeInvoice, payInvoice, periodLine } from './invoicing.ts'
import { toId } from '../objects.ts'
import { declineBody } from '../payments/payments.ts'
import { endOfPeriod } from './periods.ts'
import { beginRetries, getBilling, addPendingLines } from './retries.ts'
import type { ItemPlan } from './subscription-changes.ts'
import { newItem } from './subscription-changes.ts'
import { NO_DETAILS, newSubscription } from './subscription-object.ts'

/** States of a subscription that has not ended. */
const LIVE = new Set(['active', 'past_due', 'unpaid', 'incomplete', 'trialing', 'paused'])

export function isLive(subscription: Stripe.Subscription): boolean {
  return LIVE.has(subscription.status)
}

export function requireSubscription(account: Account, id: string, param = 'id'): Stripe.Subscription {
  const subscription = account.subscriptions.get(id)
  if (!subscription) throw noSuch('subscription', id, param)
  return subscription
}

/** The payment method of the subscription, else of its customer. */
export function paymentMethodFor(account: Account, subscription: Stripe.Subscription): Stripe.PaymentMethod | null {
  const customer = account.customers.get(toId(subscription.customer)!)
  const own = toId(subscription.default_payment_method)
  const shared = customer && !customer.deleted ? toId(customer.invoice_settings.default_payment_method) : null
  return account.paymentMethods.get(own ?? shared ?? '') ?? null
}

export type NewSubscription = {
  customer: Stripe.Customer
  prices: { price: Stripe.Price; quantity: number }[]
  metadata: Record<string, string>
  description: string | null
  method: Stripe.PaymentMethod | null
  cancelAtPeriodEnd: boolean
  collection: { method: Stripe.Subscription.CollectionMethod; daysUntilDue: number | null }
  /** `error` throws for a declined card, `incomplete` keeps the subscription waiting for 23 hours. */
  declined: 'error' | 'incomplete'
  /** False for `default_incomplete`: the first invoice stays open until it is paid. */
  charges: boolean
  /** Applied to the first invoice. */
  discount?: AppliedDiscount | null
}

export function startSubscription(account: Account, parts: NewSubscription): Stripe.Subscription {
  const now = account.seconds()
  const id = newId('sub_1')
  const end = endOfPeriod(now, now, parts.prices[0]!.price.recurring!)
  const items = parts.prices.map(({ price, quantity }) =>
    newItem(account, { price, quantity, subscription: id, start: now, end }),
  )
  const subscription = account.subscriptions.put(newSubscription({ id, now, end, items, parts }))
  account.customers.put({ ...requireCustomer(account, parts.customer.id), currency: subscription.currency })
  const invoice = finalizeInvoice(
    account,
    createInvoice(account, {
      customer: requireCustomer(account, parts.customer.id),
      subscription,
      currency: subscription.currency,
      lines: itemLines(account, subscription),
      reason: 'subscription_create',
      periodStart: now,
      periodEnd: now,
      discount: parts.discount ?? null,
    }),
  )
  const withInvoice = account.subscriptions.put({ ...subscription, latest_invoice: invoice.id })
  account.emit('customer.subscription.created', withInvoice)
  if (parts.collection.method === 'send_invoice') return setStatus(account, withInvoice, 'active')
  if (!parts.charges && invoice.amount_due > 0) return waitForPayment(account, withInvoice, invoice)
  const method = parts.method ?? paymentMethodFor(account, withInvoice)
  const { paid, intent } = payInvoice(account, { invoice, method, renewal: false, savesCard: true })
  if (paid) return setStatus(account, withInvoice, 'active')
  if (parts.declined === 'error') {
    endSubscription(account, withInvoice, { reason: 'payment_failed', status: 'incomplete_expired' })
    throw new StripeFailure(402, declineBody(intent!))
  }
  return waitForPayment(account, withInvoice, invoice)
}

/** Ends it immediately, and cancels everything still to be charged. */
export function endSubscription(
  account: Account,
  subscription: Stripe.Subscription,
  { reason, status = 'canceled' }: EndParts,
): Stripe.Subscription {
  const now = account.seconds()
  const billing = getBilling(account, subscription)
  const open = billing.openInvoice ? account.invoices.get(billing.openInvoice) : undefined
  if (open?.status === 'open') {
    if (status === 'incomplete_expired') closeInvoice(account, open, 'void')
    else account.invoices.put({ ...open, auto_advance: false, next_payment_attempt: null })
  }
  account.billing.remove(subscription.id)
  const ended = account.subscriptions.put({
    ...subscription,
    status,
    ended_at: now,
    canceled_at: subscription.canceled_at ?? now,
    cancellation_details: {
      ...NO_DETAILS,
      comment: subscription.cancellation_details?.comment ?? null,
      feedback: subscription.cancellation_details?.feedback ?? null,
      reason: subscription.cancellation_details?.reason ?? reason,
    },
  })
  account.emit(status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated', ended)
  return ended
}

type EndParts = {
  reason: Stripe.Subscription.CancellationDetails.Reason
  status?: 'canceled' | 'incomplete_expired'
}

/** Schedules the end at the close of the current period, or cancels that. */
export function setCancelAtPeriodEnd(
  account: Account,
  subscription: Stripe.Subscription,
  cancels: boolean,
): Stripe.Subscription {
  if (subscription.cancel_at_period_end === cancels) return subscription
  return change(account, {
    collection: account.subscriptions,
    item: subscription,
    fields: cancels
      ? {
          cancel_at_period_end: true,
          cancel_at: subscription.items.data[0]!.current_period_end,
          canceled_at: account.seconds(),
          cancellation_details: { ...NO_DETAILS, reason: 'cancellation_requested' },
        }
      : { cancel_at_period_end: false, cancel_at: null, canceled_at: null, cancellation_details: NO_DETAILS },
    type: 'customer.subscription.updated',
  })
}

export type ProrationBehavior = 'create_prorations' | 'always_invoice' | 'none'

/** Applies planned items; charges an invoice that is due immediately. */
export function applyItems(
  account: Account,
  subscription: Stripe.Subscription,
  { plan, behavior, declined }: { plan: ItemPlan; behavior: ProrationBehavior; declined: 'error' | 'past_due' },
): Stripe.Subscription {
  const now = account.seconds()
  const lines = behavior === 'none' ? plan.prorations.filter(({ proration }) => !proration) : plan.prorations
  const changed = change(account, {
    collection: account.subscriptions,
    item: subscription,
    fields: {
      items: { ...subscription.items, data: plan.items },
      ...(plan.restarts ? { billing_cycle_anchor: now } : {}),
      ...(plan.restarts && subscription.cancel_at_period_end ? { cancel_at: plan.items[0]!.current_period_end } : {}),
    },
    type: 'customer.subscription.updated',
  })
  if (lines.length === 0) return changed
  if (!plan.restarts && behavior !== 'always_invoice') {
    addPendingLines(account, changed, lines)
    return changed
  }
  const customer = requireCustomer(account, toId(subscription.customer)!)
  const result = invoiceNow(account, changed, { lines, reason: 'subscription_update' })
  if (result.outcome !== 'failed') return result.subscription
  if (declined === 'past_due') return beginRetries(account, result.subscription, result.invoice)
  closeInvoice(account, account.invoices.get(result.invoice)!, 'void')
  account.customers.put(customer)
  account.subscriptions.put(subscription)
  account.emit('customer.subscription.updated', subscription)
  throw new StripeFailure(402, result.intent ? declineBody(result.intent) : noCardBody)
}

const noCardBody = {
  type: 'card_error',
  code: 'payment_method_required',
  message: 'There is no card to charge.',
} as const

type Invoiced = {
  /** `sent` for a subscription whose invoices are paid manually. */
  outcome: 'paid' | 'failed' | 'sent'
  subscription: Stripe.Subscription
  invoice: string
  intent: Stripe.PaymentIntent | null
}

/** Invoices the lines and charges them; the caller handles failures. */
export function invoiceNow(
  account: Account,
  subscription: Stripe.Subscription,
  { lines, reason }: { lines: LineParts[]; reason: 'subscription_update' | 'subscription_cycle' },
): Invoiced {
  const now = account.seconds()
  const renewal = reason === 'subscription_cycle'
  const period = subscription.items.data[0]!
  const draft = createInvoice(account, {
    customer: requireCustomer(account, toId(subscription.customer)!),
    subscription,
    currency: subscription.currency,
    lines,
    reason,
    periodStart: renewal ? lines[0]!.start : period.current_period_start,
    periodEnd: renewal ? now : period.current_period_end,
  })
  const invoice = finalizeInvoice(account, draft)
  const withInvoice = account.subscriptions.put({ ...subscription, latest_invoice: invoice.id })
  const made = { subscription: withInvoice, invoice: invoice.id }
  if (subscription.collection_method === 'send_invoice') return { ...made, outcome: 'sent', intent: null }
  const method = paymentMethodFor(account, withInvoice)
  const { paid, intent } = payInvoice(account, { invoice, method, renewal })
  return { ...made, outcome: paid ? 'paid' : 'failed', intent }
}

export function itemLines(account: Account, subscription: Stripe.Subscription): LineParts[] {
  return subscription.items.data.map((item) =>
    periodLine(account, {
      price: item.price,
      quantity: item.quantity ?? 1,
      start: item.current_period_start,
      end: item.current_period_end,
      item: item.id,
    }),
  )
}

/** Sets the status and emits an event when it changed. */
export function setStatus(
  account: Account,
  subscription: Stripe.Subscription,
  status: Stripe.Subscription.Status,
): Stripe.Subscription {
  return change(account, {
    collection: account.subscriptions,
    item: subscription,
    fields: { status },
    type: 'customer.subscription.updated',
  })
}

function waitForPayment(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): Stripe.Subscription {
  account.billing.put({ ...getBilling(account, subscription), openInvoice: invoice.id })
  return subscription
}
