import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import { DECLINED_TEXT, newCharge } from './charge-object.ts'
import { openDispute } from './disputes.ts'
import { endpoint } from '../endpoint.ts'
import type { StripeErrorBody } from '../errors.ts'
import { noSuch } from '../errors.ts'
import { CREATED_LIST_PARAMS, isWithin, listPage } from '../lists.ts'
import { toId } from '../objects.ts'
import { listOf, mergeMetadata, metadata, text } from '../params.ts'
import { isDeclined, isDisputed } from './payment-methods.ts'

export const paymentEndpoints = [
  endpoint(
    'GET',
    '/v1/payment_intents/:id',
    { client_secret: text, expand: listOf(text) },
    (account, _values, { id }) => requirePaymentIntent(account, id),
  ),

  endpoint(
    'POST',
    '/v1/payment_intents/:id',
    { description: text, expand: listOf(text), metadata },
    (account, values, { id }) => {
      const intent = requirePaymentIntent(account, id)
      return change(account, {
        collection: account.paymentIntents,
        item: intent,
        fields: {
          ...(values.description === undefined ? {} : { description: values.description || null }),
          metadata: mergeMetadata(intent.metadata, values.metadata),
        },
      })
    },
  ),

  endpoint(
    'GET',
    '/v1/payment_intents',
    { ...CREATED_LIST_PARAMS, customer: text },
    (account, { created, customer, ...paging }) =>
      listPage({
        collection: account.paymentIntents,
        what: 'payment_intent',
        url: '/v1/payment_intents',
        paging,
        by: [{ index: 'customer', value: customer }],
        where: (intent) => isWithin(intent.created, created),
      }),
  ),

  endpoint('GET', '/v1/charges/:id', { expand: listOf(text) }, (account, _values, { id }) => {
    const charge = account.charges.get(id)
    if (!charge) throw noSuch('charge', id)
    return charge
  }),

  endpoint(
    'GET',
    '/v1/charges',
    { ...CREATED_LIST_PARAMS, customer: text, payment_intent: text },
    (account, { created, customer, payment_intent, ...paging }) =>
      listPage({
        collection: account.charges,
        what: 'charge',
        url: '/v1/charges',
        paging,
        by: [
          { index: 'payment_intent', value: payment_intent },
          { index: 'customer', value: customer },
        ],
        where: (charge) => isWithin(charge.created, created),
      }),
  ),
]

export function requirePaymentIntent(account: Account, id: string, param = 'id'): Stripe.PaymentIntent {
  const intent = account.paymentIntents.get(id)
  if (!intent) throw noSuch('payment_intent', id, param)
  return intent
}

type PaymentParts = {
  amount: number
  currency: string
  customer: string | null
  description: string | null
  metadata: Record<string, string>
  receiptEmail: string | null
  savesCard: boolean
}

export function createPaymentIntent(account: Account, parts: PaymentParts): Stripe.PaymentIntent {
  const id = newId('pi_3')
  const intent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: parts.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: newId(`${id}_secret_`, 25),
    confirmation_method: 'automatic',
    created: account.seconds(),
    currency: parts.currency,
    customer: parts.customer,
    customer_account: null,
    description: parts.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: parts.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: parts.receiptEmail,
    review: null,
    setup_future_usage: parts.savesCard ? 'off_session' : null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  } as Stripe.PaymentIntent
  account.paymentIntents.put(intent)
  account.emit('payment_intent.created', intent)
  return intent
}

/** Charges the card and returns whether it succeeded; either way creates a charge and its events. */
export function confirmPayment(
  account: Account,
  { intent, method, renewal }: { intent: Stripe.PaymentIntent; method: Stripe.PaymentMethod; renewal: boolean },
): { intent: Stripe.PaymentIntent; paid: boolean } {
  const paid = !isDeclined(method.card?.last4 ?? '', { renewal })
  const charge = account.charges.put(newCharge(account, { intent, method, paid }))
  const confirmed = account.paymentIntents.put({
    ...intent,
    ...(paid
      ? { status: 'succeeded', amount_received: intent.amount, payment_method: method.id, last_payment_error: null }
      : { status: 'requires_payment_method', payment_method: null, last_payment_error: findDecline(charge, method) }),
    latest_charge: charge.id,
  })
  account.emit(paid ? 'charge.succeeded' : 'charge.failed', charge)
  account.emit(paid ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', confirmed)
  if (paid && isDisputed(method.card?.last4 ?? '')) openDispute(account, charge)
  return { intent: confirmed, paid }
}

export function declineBody(intent: Stripe.PaymentIntent): StripeErrorBody {
  return {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: DECLINED_TEXT,
    ...(intent.latest_charge ? { charge: toId(intent.latest_charge)! } : {}),
    payment_intent: intent,
  }
}

function findDecline(charge: Stripe.Charge, method: Stripe.PaymentMethod): Stripe.PaymentIntent.LastPaymentError {
  return {
    charge: charge.id,
    code: 'card_declined',
    decline_code: 'generic_decline',
    doc_url: 'https://stripe.com/docs/error-codes/card-declined',
    message: DECLINED_TEXT,
    payment_method: method,
    type: 'card_error',
  }
}
