import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account, CheckoutDraft } from '../account.ts'
import { change } from '../account.ts'
import { requireCustomer } from '../customers.ts'
import { endpoint } from '../endpoint.ts'
import { badParameter, invalid, missingParameter, noSuch } from '../errors.ts'
import { LINE_ITEMS, lineItems } from './line-items.ts'
import { CREATED_LIST_PARAMS, LIST_PARAMS, isWithin, listPage } from '../lists.ts'
import { listObject } from '../objects.ts'
import type { Values } from '../params.ts'
import {
  anyValue,
  email,
  flag,
  integer,
  listOf,
  mergeMetadata,
  metadata,
  objectOf,
  oneOf,
  required,
  text,
  url,
} from '../params.ts'
import { newSession } from './session-object.ts'

const MINUTE = 60
const SHORTEST_LIFE = 30 * MINUTE
const LONGEST_LIFE = 24 * 60 * MINUTE
const SMALLEST_PAYMENT = 50
const LONGEST_REFERENCE = 200

const CREATE_SHAPE = {
  adaptive_pricing: anyValue,
  allow_promotion_codes: flag,
  automatic_tax: objectOf({ enabled: flag }),
  billing_address_collection: oneOf('auto', 'required'),
  branding_settings: anyValue,
  cancel_url: url,
  client_reference_id: text,
  consent_collection: anyValue,
  currency: text,
  custom_text: anyValue,
  customer: text,
  customer_creation: oneOf('always', 'if_required'),
  customer_email: email,
  customer_update: anyValue,
  expand: listOf(text),
  expires_at: integer,
  invoice_creation: objectOf({ enabled: flag, invoice_data: objectOf({ description: text, metadata }) }),
  line_items: LINE_ITEMS,
  locale: text,
  metadata,
  mode: required(oneOf('payment', 'subscription')),
  payment_intent_data: objectOf({
    description: text,
    metadata,
    receipt_email: email,
    setup_future_usage: oneOf('off_session', 'on_session'),
    statement_descriptor: text,
    statement_descriptor_suffix: text,
  }),
  payment_method_collection: oneOf('always', 'if_required'),
  payment_method_types: listOf(text),
  phone_number_collection: objectOf({ enabled: flag }),
  saved_payment_method_options: anyValue,
  submit_type: oneOf('auto', 'book', 'donate', 'pay', 'subscribe'),
  subscription_data: objectOf({ description: text, metadata }),
  success_url: url,
  tax_id_collection: objectOf({ enabled: flag }),
  ui_mode: oneOf('hosted_page'),
}

export type SessionValues = Values<typeof CREATE_SHAPE>

export const checkoutSessionEndpoints = [
  endpoint('POST', '/v1/checkout/sessions', CREATE_SHAPE, (account, values) => {
    refuseContradictions(values)
    const created = account.seconds()
    const expires = readExpiry(values.expires_at, created)
    const customer = values.customer === undefined ? null : requireCustomer(account, values.customer, 'customer')
    const lines = lineItems(account, values)
    const total = lines.reduce((sum, line) => sum + line.amount_total, 0)
    if (values.mode === 'payment' && total < SMALLEST_PAYMENT) {
      throw invalid(`The Checkout Session's total amount due must add up to at least $0.50 ${lines[0]!.currency}`, {
        code: 'amount_too_small',
      })
    }
    const id = newId('cs_test_a1', 58)
    account.drafts.put(createDraft(id, lines, values))
    return account.sessions.put(newSession(account, { id, created, expires, customer, lines, total, values }))
  }),

  endpoint('GET', '/v1/checkout/sessions/:id', { expand: listOf(text) }, (account, _values, { id }) =>
    requireSession(account, id),
  ),

  endpoint('POST', '/v1/checkout/sessions/:id', { expand: listOf(text), metadata }, (account, values, { id }) => {
    const session = requireSession(account, id)
    return change(account, {
      collection: account.sessions,
      item: session,
      fields: { metadata: mergeMetadata(session.metadata ?? {}, values.metadata) },
    })
  }),

  endpoint('POST', '/v1/checkout/sessions/:id/expire', { expand: listOf(text) }, (account, _values, { id }) => {
    const session = requireSession(account, id)
    if (session.status !== 'open') {
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      )
    }
    return expireSession(account, session)
  }),

  endpoint('GET', '/v1/checkout/sessions/:id/line_items', LIST_PARAMS, (account, _values, { id }) => {
    requireSession(account, id)
    return listObject(`/v1/checkout/sessions/${id}/line_items`, account.drafts.get(id)?.lines ?? [])
  }),

  endpoint(
    'GET',
    '/v1/checkout/sessions',
    {
      ...CREATED_LIST_PARAMS,
      customer: text,
      customer_details: objectOf({ email: required(text) }),
      payment_intent: text,
      status: oneOf('complete', 'expired', 'open'),
      subscription: text,
    },
    (account, { created, customer, customer_details: details, payment_intent, status, subscription, ...paging }) =>
      listPage({
        collection: account.sessions,
        what: 'checkout.session',
        url: '/v1/checkout/sessions',
        paging,
        by: [
          { index: 'subscription', value: subscription },
          { index: 'payment_intent', value: payment_intent },
          { index: 'customer', value: customer },
          { index: 'status', value: status },
        ],
        where: (session) =>
          (details === undefined || session.customer_details?.email?.toLowerCase() === details.email.toLowerCase()) &&
          isWithin(session.created, created),
      }),
  ),
]

function requireSession(account: Account, id: string): Stripe.Checkout.Session {
  const session = account.sessions.get(id)
  if (!session) throw noSuch('checkout.session', id)
  return session
}

export function expireSession(account: Account, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  const expired = account.sessions.put({ ...session, status: 'expired', url: null })
  account.emit('checkout.session.expired', expired)
  return expired
}

function refuseContradictions(values: SessionValues): void {
  const { customer, customer_creation, customer_email, mode, payment_intent_data, subscription_data } = values
  if (!values.success_url) throw missingParameter('success_url')
  if (!values.line_items || values.line_items.length === 0) throw missingParameter('line_items')
  if (customer !== undefined && customer_email) {
    throw invalid('You may only specify one of these parameters: customer, customer_email.')
  }
  if (customer !== undefined && customer_creation) {
    throw invalid('You may only specify one of these parameters: customer, customer_creation.')
  }
  if (mode === 'subscription' && customer_creation) {
    throw invalid('`customer_creation` can only be used in `payment` mode.', { param: 'customer_creation' })
  }
  if (mode === 'subscription' && payment_intent_data) {
    throw invalid('You can not pass `payment_intent_data` in `subscription` mode.', { param: 'payment_intent_data' })
  }
  if (mode === 'payment' && subscription_data) {
    throw invalid('You can not pass `subscription_data` in `payment` mode.', { param: 'subscription_data' })
  }
  if (mode === 'subscription' && values.invoice_creation) {
    throw invalid('You can not pass `invoice_creation` in `subscription` mode.', { param: 'invoice_creation' })
  }
  if ((values.client_reference_id?.length ?? 0) > LONGEST_REFERENCE) {
    throw badParameter('Invalid string: must be at most 200 characters', 'client_reference_id')
  }
}

function readExpiry(requested: number | undefined, created: number): number {
  if (requested === undefined) return created + LONGEST_LIFE
  if (requested - created < SHORTEST_LIFE) {
    throw badParameter(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      'expires_at',
    )
  }
  if (requested - created > LONGEST_LIFE) {
    throw badParameter(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      'expires_at',
    )
  }
  return requested
}

function createDraft(id: string, lines: Stripe.LineItem[], values: SessionValues): CheckoutDraft {
  const { payment_intent_data: payment, subscription_data: subscription } = values
  return {
    id,
    lines,
    subscription: {
      metadata: mergeMetadata({}, subscription?.metadata),
      description: subscription?.description || null,
    },
    payment: {
      metadata: mergeMetadata({}, payment?.metadata),
      description: payment?.description || null,
      receiptEmail: payment?.receipt_email || null,
      savesCard: payment?.setup_future_usage !== undefined,
    },
    paymentIntent: null,
  }
}
