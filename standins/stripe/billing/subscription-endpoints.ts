import type { Stripe } from 'stripe'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import { requireCustomer } from '../customers.ts'
import { endpoint } from '../endpoint.ts'
import { badParameter, invalid, missingParameter } from '../errors.ts'
import { CREATED_LIST_PARAMS, isWithin, listPage } from '../lists.ts'
import { toId } from '../objects.ts'
import { flag, integer, listOf, mergeMetadata, metadata, objectOf, oneOf, required, text } from '../params.ts'
import { NO_DETAILS } from './subscription-object.ts'
import { requirePaymentMethod } from '../payments/payment-methods.ts'
import { ITEMS, planItems, requireRecurringPrice } from './subscription-changes.ts'
import {
  applyItems,
  endSubscription,
  invoiceNow,
  isLive,
  requireSubscription,
  setCancelAtPeriodEnd,
  startSubscription,
} from './subscriptions.ts'

const NOTHING_CHANGED = { deleted: undefined, metadata: undefined, price: undefined }
const CANCELLATION_DETAILS = objectOf({ comment: text, feedback: text })

export const subscriptionEndpoints = [
  endpoint(
    'POST',
    '/v1/subscriptions',
    {
      cancel_at_period_end: flag,
      collection_method: oneOf('charge_automatically', 'send_invoice'),
      currency: text,
      customer: required(text),
      days_until_due: integer,
      default_payment_method: text,
      description: text,
      expand: listOf(text),
      items: required(ITEMS),
      metadata,
      off_session: flag,
      payment_behavior: oneOf('allow_incomplete', 'default_incomplete', 'error_if_incomplete'),
      proration_behavior: oneOf('create_prorations', 'always_invoice', 'none'),
    },
    (account, values) => {
      const customer = requireCustomer(account, values.customer, 'customer')
      const prices = values.items.map(({ price, quantity }, index) => {
        if (!price) throw missingParameter(`items[${index}][price]`)
        return { price: requireRecurringPrice(account, price, `items[${index}][price]`), quantity: quantity ?? 1 }
      })
      const method = values.default_payment_method
        ? requirePaymentMethod(account, values.default_payment_method, 'default_payment_method')
        : null
      const sendsInvoice = values.collection_method === 'send_invoice'
      const waits = values.payment_behavior === 'default_incomplete'
      const free = prices.every(({ price }) => price.unit_amount === 0)
      if (!method && !sendsInvoice && !waits && !free && !hasCard(customer)) {
        throw invalid(
          'This customer has no attached payment source or default payment method. Please consider adding a default ' +
            'payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment.',
          { code: 'resource_missing' },
        )
      }
      return startSubscription(account, {
        customer,
        prices,
        metadata: mergeMetadata({}, values.metadata),
        description: values.description || null,
        method,
        cancelAtPeriodEnd: values.cancel_at_period_end ?? false,
        collection: {
          method: sendsInvoice ? 'send_invoice' : 'charge_automatically',
          daysUntilDue: values.days_until_due ?? null,
        },
        declined: values.payment_behavior === 'error_if_incomplete' ? 'error' : 'incomplete',
        charges: !waits,
      })
    },
  ),

  endpoint('GET', '/v1/subscriptions/:id', { expand: listOf(text) }, (account, _values, { id }) =>
    requireSubscription(account, id),
  ),

  endpoint(
    'POST',
    '/v1/subscriptions/:id',
    {
      billing_cycle_anchor: oneOf('now', 'unchanged'),
      cancel_at: text,
      cancel_at_period_end: flag,
      cancellation_details: CANCELLATION_DETAILS,
      default_payment_method: text,
      description: text,
      expand: listOf(text),
      items: ITEMS,
      metadata,
      off_session: flag,
      payment_behavior: oneOf('allow_incomplete', 'error_if_incomplete'),
      proration_behavior: oneOf('create_prorations', 'always_invoice', 'none'),
      proration_date: integer,
    },
    (account, values, { id }) => {
      const found = requireSubscription(account, id)
      const { items, cancel_at_period_end: cancels } = values
      if (!isLive(found) && (items || cancels !== undefined || values.cancel_at !== undefined)) {
        throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
      }
      let subscription = change(account, {
        collection: account.subscriptions,
        item: found,
        fields: plainChanges(account, found, values),
        type: 'customer.subscription.updated',
      })
      if (cancels !== undefined) subscription = setCancelAtPeriodEnd(account, subscription, cancels)
      if (!items) return subscription
      return applyItems(account, subscription, {
        plan: planItems(account, subscription, { changes: items, at: values.proration_date ?? account.seconds() }),
        behavior: values.proration_behavior ?? 'create_prorations',
        declined: values.payment_behavior === 'error_if_incomplete' ? 'error' : 'past_due',
      })
    },
  ),

  endpoint(
    'DELETE',
    '/v1/subscriptions/:id',
    { cancellation_details: CANCELLATION_DETAILS, expand: listOf(text), invoice_now: flag, prorate: flag },
    (account, { cancellation_details: details, invoice_now: invoices, prorate }, { id }) => {
      const subscription = requireSubscription(account, id)
      if (!isLive(subscription))
        throw invalid(`No such subscription: '${id}'`, { status: 404, code: 'resource_missing', param: 'id' })
      if (prorate) {
        const unused = planItems(account, subscription, {
          changes: subscription.items.data.map((item) => ({ ...NOTHING_CHANGED, id: item.id, quantity: 0 })),
          at: account.seconds(),
        }).prorations.filter(({ amount }) => amount < 0)
        if (invoices) invoiceNow(account, subscription, { lines: unused, reason: 'subscription_update' })
        else
          creditCustomer(
            account,
            subscription,
            unused.reduce((sum, { amount }) => sum + amount, 0),
          )
      }
      return endSubscription(account, withDetails(requireSubscription(account, id), details), {
        reason: 'cancellation_requested',
      })
    },
  ),

  endpoint(
    'GET',
    '/v1/subscriptions',
    {
      ...CREATED_LIST_PARAMS,
      collection_method: oneOf('charge_automatically', 'send_invoice'),
      customer: text,
      price: text,
      status: oneOf(
        'active',
        'all',
        'canceled',
        'ended',
        'incomplete',
        'incomplete_expired',
        'past_due',
        'trialing',
        'unpaid',
      ),
    },
    (account, { collection_method: collection, created, customer, price, status, ...paging }) =>
      listPage({
        collection: account.subscriptions,
        what: 'subscription',
        url: '/v1/subscriptions',
        paging,
        by: [{ index: 'customer', value: customer }],
        where: (subscription) =>
          hasStatus(subscription, status) &&
          (collection === undefined || subscription.collection_method === collection) &&
          (price === undefined || subscription.items.data.some((item) => item.price.id === price)) &&
          isWithin(subscription.created, created),
      }),
  ),

  endpoint(
    'GET',
    '/v1/subscription_items',
    { ...CREATED_LIST_PARAMS, subscription: required(text) },
    (account, { subscription }) => requireSubscription(account, subscription, 'subscription').items,
  ),
]

type PlainValues = {
  cancel_at?: string | undefined
  cancellation_details?: { comment?: string | undefined; feedback?: string | undefined } | undefined
  default_payment_method?: string | undefined
  description?: string | undefined
  metadata?: Record<string, string> | '' | undefined
}

function plainChanges(
  account: Account,
  subscription: Stripe.Subscription,
  values: PlainValues,
): Partial<Stripe.Subscription> {
  const { cancel_at: end, default_payment_method: method } = values
  if (end && !/^\d+$/.test(end)) throw badParameter(`Invalid integer: ${end}`, 'cancel_at', 'parameter_invalid_integer')
  if (end && Number(end) <= account.seconds()) {
    throw badParameter('`cancel_at` must be in the future.', 'cancel_at')
  }
  return {
    ...(end === undefined
      ? {}
      : {
          cancel_at: end ? Number(end) : null,
          cancel_at_period_end: false,
          canceled_at: end ? account.seconds() : null,
        }),
    ...(method ? { default_payment_method: requirePaymentMethod(account, method, 'default_payment_method').id } : {}),
    ...(values.description === undefined ? {} : { description: values.description || null }),
    metadata: mergeMetadata(subscription.metadata, values.metadata),
    cancellation_details: withDetails(subscription, values.cancellation_details).cancellation_details,
  }
}

function withDetails(
  subscription: Stripe.Subscription,
  details: { comment?: string | undefined; feedback?: string | undefined } | undefined,
): Stripe.Subscription {
  const before = subscription.cancellation_details
  return {
    ...subscription,
    cancellation_details: {
      ...NO_DETAILS,
      comment: details?.comment ?? before?.comment ?? null,
      feedback: (details?.feedback as Stripe.Subscription.CancellationDetails.Feedback) ?? before?.feedback ?? null,
      reason: before?.reason ?? null,
    },
  }
}

function hasStatus({ status }: Stripe.Subscription, requested: string | undefined): boolean {
  if (requested === undefined) return status !== 'canceled'
  if (requested === 'all') return true
  if (requested === 'ended') return status === 'canceled' || status === 'incomplete_expired'
  return status === requested
}

function creditCustomer(account: Account, subscription: Stripe.Subscription, amount: number): void {
  const customer = requireCustomer(account, toId(subscription.customer)!)
  change(account, {
    collection: account.customers,
    item: customer,
    fields: { balance: customer.balance + amount },
    type: 'customer.updated',
  })
}

function hasCard(customer: Stripe.Customer): boolean {
  return toId(customer.invoice_settings.default_payment_method) !== null
}
