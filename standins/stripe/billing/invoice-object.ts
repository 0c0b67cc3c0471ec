import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account } from '../account.ts'
import type { AppliedDiscount } from './coupons.ts'
import { newDiscount } from './coupons.ts'
import { decimal, toId, listObject } from '../objects.ts'

export type LineParts = {
  amount: number
  description: string
  price: Stripe.Price
  quantity: number
  start: number
  end: number
  item: string | null
  proration: boolean
}

/** Recorded objects still have this field; the SDK's types have moved it to `parent`. */
const RECORDED_ONLY = { subscription: null }

export type InvoiceParts = {
  customer: Stripe.Customer
  subscription: Stripe.Subscription | null
  currency: string
  lines: LineParts[]
  reason: Stripe.Invoice.BillingReason
  periodStart: number
  periodEnd: number
  /** Applied once. */
  discount?: AppliedDiscount | null
}

export function draftInvoice(account: Account, id: string, parts: InvoiceParts): Stripe.Invoice {
  const { customer, subscription, currency, reason, periodStart, periodEnd } = parts
  const subtotal = parts.lines.reduce((sum, { amount }) => sum + amount, 0)
  const off = parts.discount?.amount ?? 0
  const total = subtotal - off
  const discount =
    parts.discount &&
    newDiscount(account, parts.discount, {
      customer: customer.id,
      invoice: id,
      subscription: subscription?.id ?? null,
    }).id
  // A negative balance is the customer's credit: it is used before the card is charged.
  const due = Math.max(0, total + customer.balance)
  const subscriptionDetails = subscription && { metadata: subscription.metadata, subscription: subscription.id }
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Stand-in account',
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: subscription?.collection_method ?? 'charge_automatically',
    created: account.seconds(),
    currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: discount ? [discount] : [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: listObject(
      `/v1/invoices/${id}/lines`,
      parts.lines.map((line) => invoiceLine(id, currency, { subscription, line })),
    ),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: subscriptionDetails
      ? { quote_details: null, subscription_details: subscriptionDetails, type: 'subscription_details' }
      : null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: periodEnd,
    period_start: periodStart,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: null,
    total,
    total_discount_amounts: discount ? [{ amount: off, discount }] : [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
    ...RECORDED_ONLY,
  }
}

function invoiceLine(
  invoice: string,
  currency: string,
  { subscription, line }: { subscription: Stripe.Subscription | null; line: LineParts },
): Stripe.InvoiceLineItem {
  return {
    id: newId('il_1'),
    object: 'line_item',
    amount: line.amount,
    currency,
    description: line.description,
    discount_amounts: [],
    discountable: !line.proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription?.metadata ?? {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: line.proration,
        proration_details: { credited_items: null },
        subscription: subscription?.id ?? null,
        subscription_item: line.item ?? '',
      },
      type: 'subscription_item_details',
    },
    period: { start: line.start, end: line.end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: line.price.id, product: toId(line.price.product)! },
      type: 'price_details',
      unit_amount_decimal: decimal(line.price.unit_amount),
    },
    quantity: line.quantity,
    quantity_decimal: decimal(line.quantity),
    subscription: subscription?.id ?? null,
    subtotal: line.amount,
    taxes: [],
  }
}
