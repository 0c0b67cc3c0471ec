import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import { endpoint } from '../endpoint.ts'
import { badParameter, invalid, missingParameter, noSuch } from '../errors.ts'
import { CREATED_LIST_PARAMS, isWithin, listPage } from '../lists.ts'
import { toId } from '../objects.ts'
import { integer, listOf, mergeMetadata, metadata, oneOf, text } from '../params.ts'
import { requirePaymentIntent } from './payments.ts'

export const refundEndpoints = [
  endpoint(
    'POST',
    '/v1/refunds',
    {
      amount: integer,
      charge: text,
      expand: listOf(text),
      metadata,
      payment_intent: text,
      reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
    },
    (account, values) => {
      const charge = chargeToRefund(account, values)
      const left = charge.amount - charge.amount_refunded
      if (charge.refunded) {
        throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
      }
      const amount = values.amount ?? left
      if (amount <= 0) throw badParameter('Invalid positive integer', 'amount', 'parameter_invalid_integer')
      if (amount > left) {
        throw invalid(`Refund amount (${money(amount)}) is greater than unrefunded amount on charge (${money(left)})`, {
          param: 'amount',
        })
      }
      return refundCharge(account, {
        charge,
        amount,
        reason: values.reason ?? null,
        metadata: mergeMetadata({}, values.metadata),
      })
    },
  ),

  endpoint('GET', '/v1/refunds/:id', { expand: listOf(text) }, (account, _values, { id }) => {
    const refund = account.refunds.get(id)
    if (!refund) throw noSuch('refund', id)
    return refund
  }),

  endpoint(
    'GET',
    '/v1/refunds',
    { ...CREATED_LIST_PARAMS, charge: text, payment_intent: text },
    (account, { created, charge, payment_intent, ...paging }) =>
      listPage({
        collection: account.refunds,
        what: 'refund',
        url: '/v1/refunds',
        paging,
        by: [
          { index: 'charge', value: charge },
          { index: 'payment_intent', value: payment_intent },
        ],
        where: (refund) => isWithin(refund.created, created),
      }),
  ),
]

function chargeToRefund(
  account: Account,
  { charge, payment_intent }: { charge?: string | undefined; payment_intent?: string | undefined },
): Stripe.Charge {
  if (charge === undefined && payment_intent === undefined) throw missingParameter('payment_intent')
  if (charge !== undefined) {
    const found = account.charges.get(charge)
    if (!found) throw noSuch('charge', charge, 'charge')
    if (!found.paid) throw invalid(`Charge ${charge} was not successful and can not be refunded.`, { param: 'charge' })
    return found
  }
  const intent = requirePaymentIntent(account, payment_intent!, 'payment_intent')
  if (intent.status !== 'succeeded') {
    throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    })
  }
  return account.charges.get(toId(intent.latest_charge)!)!
}

type RefundParts = {
  charge: Stripe.Charge
  amount: number
  reason: Stripe.Refund.Reason | null
  metadata: Record<string, string>
}

function refundCharge(account: Account, { charge, amount, reason, metadata: given }: RefundParts): Stripe.Refund {
  const refund = {
    id: newId('re_3'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn_3'),
    charge: charge.id,
    created: account.seconds(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: {
        reference: newId('', 13).replaceAll(/\D/g, '7'),
        reference_status: 'available',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
    metadata: given,
    payment_intent: toId(charge.payment_intent),
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  } as Stripe.Refund
  account.refunds.put(refund)
  const refunded = charge.amount_refunded + amount
  change(account, {
    collection: account.charges,
    item: charge,
    fields: { amount_refunded: refunded, refunded: refunded === charge.amount },
    type: 'charge.refunded',
  })
  account.emit('refund.created', refund)
  account.emit('charge.refund.updated', refund)
  return refund
}

/** The cardholder's bank rejects the refund days later: the money returns to the merchant. */
export function failRefund(account: Account, refund: Stripe.Refund): Stripe.Refund {
  const charge = account.charges.get(toId(refund.charge)!)!
  change(account, {
    collection: account.charges,
    item: charge,
    fields: { amount_refunded: charge.amount_refunded - refund.amount, refunded: false },
    type: 'charge.updated',
  })
  return change(account, {
    collection: account.refunds,
    item: refund,
    fields: { status: 'failed', failure_reason: 'expired_or_canceled_card' },
    type: 'refund.failed',
  })
}

function money(minorUnits: number): string {
  return `$${(minorUnits / 100).toFixed(2)}`
}
