import type { Stripe } from 'stripe'
import type { Account } from '../account.ts'
import type { SessionValues } from './checkout-sessions.ts'
import { EMPTY_ADDRESS } from '../objects.ts'
import { mergeMetadata } from '../params.ts'

type SessionParts = {
  id: string
  created: number
  expires: number
  customer: Stripe.Customer | null
  lines: Stripe.LineItem[]
  total: number
  values: SessionValues
}

export function newSession(account: Account, parts: SessionParts): Stripe.Checkout.Session {
  const { id, created, expires, customer, lines, total, values } = parts
  const known = customer?.email ?? (values.customer_email || null)
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: values.allow_promotion_codes ?? null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: values.automatic_tax?.enabled ?? false, liability: null, provider: null, status: null },
    billing_address_collection: values.billing_address_collection ?? null,
    cancel_url: values.cancel_url || null,
    client_reference_id: values.client_reference_id || null,
    client_secret: null,
    collected_information: { business_name: null, individual_name: null, shipping_details: null },
    consent: null,
    consent_collection: null,
    created,
    currency: lines[0]!.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: customer?.id ?? null,
    customer_account: null,
    customer_creation:
      customer || values.mode === 'subscription' ? creationFor(values) : (values.customer_creation ?? 'if_required'),
    customer_details: known === null ? null : customerDetails(known, customer),
    customer_email: values.customer_email || null,
    discounts: [],
    expires_at: expires,
    integration_identifier: null,
    invoice: null,
    invoice_creation: values.mode === 'payment' ? invoiceCreation(values) : null,
    livemode: false,
    locale: values.locale || null,
    managed_payments: { enabled: false },
    metadata: mergeMetadata({}, values.metadata),
    mode: values.mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection:
      values.payment_method_collection ?? (values.mode === 'subscription' ? 'always' : 'if_required'),
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: values.payment_method_types ?? ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: values.phone_number_collection?.enabled ?? false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: values.submit_type ?? null,
    subscription: null,
    success_url: values.success_url!,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${account.publicUrl}/checkout/${id}`,
    wallet_options: null,
  }
}

export function customerDetails(
  email: string,
  customer: Stripe.Customer | null,
): Stripe.Checkout.Session.CustomerDetails {
  return {
    address: customer?.address ?? { ...EMPTY_ADDRESS },
    business_name: null,
    email,
    individual_name: null,
    name: customer?.name ?? null,
    phone: customer?.phone ?? null,
    tax_exempt: 'none',
    tax_ids: [],
  }
}

function creationFor({ mode, customer }: SessionValues): Stripe.Checkout.Session.CustomerCreation | null {
  return mode === 'subscription' && customer === undefined ? 'always' : null
}

function invoiceCreation({ invoice_creation: requested }: SessionValues): Stripe.Checkout.Session.InvoiceCreation {
  return {
    enabled: requested?.enabled ?? false,
    invoice_data: {
      account_tax_ids: null,
      custom_fields: null,
      description: requested?.invoice_data?.description || null,
      footer: null,
      issuer: null,
      metadata: mergeMetadata({}, requested?.invoice_data?.metadata),
      rendering_options: null,
    },
  }
}
