import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import { requireCustomer } from '../customers.ts'
import { endpoint } from '../endpoint.ts'
import { StripeFailure, invalid, missingParameter, noSuch } from '../errors.ts'
import type { LineParts } from './invoice-object.ts'
import { draftInvoice } from './invoice-object.ts'
import { closeInvoice, periodLine } from './invoicing.ts'
import { CREATED_LIST_PARAMS, LIST_PARAMS, isWithin, listPage } from '../lists.ts'
import { toId } from '../objects.ts'
import { flag, integer, listOf, mergeMetadata, metadata, objectOf, oneOf, text } from '../params.ts'
import { requirePaymentMethod } from '../payments/payment-methods.ts'
import { declineBody } from '../payments/payments.ts'
import { endOfPeriod } from './periods.ts'
import { payOpenInvoice } from './renewals.ts'
import { getBilling } from './retries.ts'
import { ITEMS, planItems } from './subscription-changes.ts'
import { itemLines, requireSubscription } from './subscriptions.ts'

export const invoiceEndpoints = [
  endpoint(
    'POST',
    '/v1/invoices/create_preview',
    {
      customer: text,
      expand: listOf(text),
      preview_mode: oneOf('next', 'recurring'),
      subscription: text,
      subscription_details: objectOf({
        cancel_at_period_end: flag,
        items: ITEMS,
        proration_behavior: oneOf('create_prorations', 'always_invoice', 'none'),
        proration_date: integer,
      }),
    },
    (account, { customer, subscription: id, subscription_details: details }) => {
      const found = id ?? findOnlySubscription(account, customer)
      const subscription = requireSubscription(account, found, 'subscription')
      if (subscription.status === 'canceled' || (subscription.cancel_at_period_end && !details?.items)) {
        throw invalid('No upcoming invoices for customer: ' + String(toId(subscription.customer)), {
          status: 404,
          code: 'invoice_upcoming_none',
        })
      }
      return upcomingInvoice(account, subscription, details ?? {})
    },
  ),

  endpoint('GET', '/v1/invoices/:id', { expand: listOf(text) }, (account, _values, { id }) =>
    requireInvoice(account, id),
  ),

  endpoint(
    'POST',
    '/v1/invoices/:id',
    { description: text, expand: listOf(text), metadata },
    (account, values, { id }) => {
      const invoice = requireInvoice(account, id)
      return change(account, {
        collection: account.invoices,
        item: invoice,
        fields: {
          ...(values.description === undefined ? {} : { description: values.description || null }),
          metadata: mergeMetadata(invoice.metadata ?? {}, values.metadata),
        },
        type: 'invoice.updated',
      })
    },
  ),

  endpoint(
    'POST',
    '/v1/invoices/:id/pay',
    { expand: listOf(text), off_session: flag, paid_out_of_band: flag, payment_method: text },
    (account, { payment_method: method }, { id }) => {
      const invoice = requireInvoice(account, id)
      if (invoice.status !== 'open') {
        const description = invoice.status === 'paid' ? 'Invoice is already paid' : 'This invoice can no longer be paid'
        throw invalid(description, { code: 'invoice_not_open' })
      }
      const card = method ? requirePaymentMethod(account, method, 'payment_method') : null
      const { invoice: tried, paid, intent } = payOpenInvoice(account, invoice, card)
      if (!paid) throw new StripeFailure(402, declineBody(intent!))
      return tried
    },
  ),

  endpoint('POST', '/v1/invoices/:id/void', { expand: listOf(text) }, (account, _values, { id }) => {
    const invoice = requireInvoice(account, id)
    if (invoice.status !== 'open') throw invalid('You can only void open invoices.', { code: 'invoice_not_editable' })
    return closeInvoice(account, invoice, 'void')
  }),

  endpoint(
    'GET',
    '/v1/invoices',
    {
      ...CREATED_LIST_PARAMS,
      customer: text,
      status: oneOf('draft', 'open', 'paid', 'uncollectible', 'void'),
      subscription: text,
    },
    (account, { created, customer, status, subscription, ...paging }) =>
      listPage({
        collection: account.invoices,
        what: 'invoice',
        url: '/v1/invoices',
        paging,
        by: [
          { index: 'subscription', value: subscription },
          { index: 'customer', value: customer },
        ],
        where: (invoice) => (status === undefined || invoice.status === status) && isWithin(invoice.created, created),
      }),
  ),

  endpoint(
    'GET',
    '/v1/invoices/:id/lines',
    LIST_PARAMS,
    (account, _values, { id }) => requireInvoice(account, id).lines,
  ),

  endpoint(
    'GET',
    '/v1/invoice_payments',
    {
      ...LIST_PARAMS,
      invoice: text,
      payment: objectOf({ payment_intent: text, type: text }),
      status: oneOf('canceled', 'open', 'paid'),
    },
    (account, { invoice, payment, status, ...paging }) =>
      listPage({
        collection: account.invoicePayments,
        what: 'invoice_payment',
        url: '/v1/invoice_payments',
        paging,
        by: [
          { index: 'invoice', value: invoice },
          { index: 'payment_intent', value: payment?.payment_intent },
        ],
        where: (item) => status === undefined || item.status === status,
      }),
  ),
]

function requireInvoice(account: Account, id: string, param = 'id'): Stripe.Invoice {
  const invoice = account.invoices.get(id)
  if (!invoice) throw noSuch('invoice', id, param)
  return invoice
}

type PreviewDetails = {
  items?: Parameters<typeof planItems>[2]['changes'] | undefined
  proration_behavior?: 'create_prorations' | 'always_invoice' | 'none' | undefined
  proration_date?: number | undefined
}

/** Previews the next invoice of a subscription, optionally with other items; nothing is stored. */
export function upcomingInvoice(
  account: Account,
  subscription: Stripe.Subscription,
  { items, proration_behavior: behavior, proration_date: date }: PreviewDetails,
): Stripe.Invoice {
  const plan = items ? planItems(account, subscription, { changes: items, at: date ?? account.seconds() }) : null
  const prorated = plan && behavior !== 'none' ? plan.prorations : []
  const atOnce = plan !== null && (plan.restarts || behavior === 'always_invoice')
  const next = atOnce
    ? []
    : renewalLines(account, {
        ...subscription,
        items: { ...subscription.items, data: plan?.items ?? subscription.items.data },
      })
  const period = subscription.items.data[0]!
  return draftInvoice(account, newId('upcoming_in_'), {
    customer: requireCustomer(account, toId(subscription.customer)!),
    subscription,
    currency: subscription.currency,
    lines: [...prorated, ...next],
    reason: 'upcoming',
    periodStart: period.current_period_start,
    periodEnd: period.current_period_end,
  })
}

/** The lines for the next period, with pending prorations. */
export function renewalLines(account: Account, subscription: Stripe.Subscription): LineParts[] {
  const waiting = getBilling(account, subscription).pendingLines.map((line) => ({
    amount: line.amount,
    description: line.description,
    price: account.prices.get(line.price)!,
    quantity: 1,
    start: line.start,
    end: line.end,
    item: subscription.items.data[0]!.id,
    proration: true,
  }))
  const next = itemLines(account, subscription).map((line) =>
    periodLine(account, {
      ...line,
      start: line.end,
      end: endOfPeriod(subscription.billing_cycle_anchor, line.end, line.price.recurring!),
    }),
  )
  return [...waiting, ...next]
}

function findOnlySubscription(account: Account, customer: string | undefined): string {
  if (customer === undefined) throw missingParameter('customer')
  const live = account.subscriptions.by('customer', customer).filter(({ status }) => status !== 'canceled')
  if (live[0]) return live[0].id
  throw invalid(`No upcoming invoices for customer: ${customer}`, { status: 404, code: 'invoice_upcoming_none' })
}
