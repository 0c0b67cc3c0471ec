import type { Stripe } from 'stripe'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import { endpoint } from '../endpoint.ts'
import { invalid, noSuch } from '../errors.ts'
import { LIST_PARAMS, listPage } from '../lists.ts'
import { toId, newPaymentMethod } from '../objects.ts'
import { listOf, required, text } from '../params.ts'

/** The stand-in's cards by their last four digits. */
const ALWAYS_DECLINED = '0002'
const DECLINED_AT_RENEWAL = '0341'
const DISPUTED = '0259'
const KNOWN_NUMBERS = ['4242424242424242', '4000000000000002', '4000000000000341', '4000000000000259']

/** Stripe's test payment methods, accepted wherever a payment method is attached. */
const READY_MADE: Record<string, string> = {
  pm_card_visa: '4242',
  pm_card_chargeDeclined: ALWAYS_DECLINED,
  pm_card_chargeCustomerFail: DECLINED_AT_RENEWAL,
  pm_card_createDispute: DISPUTED,
}

export const paymentMethodEndpoints = [
  endpoint('GET', '/v1/payment_methods/:id', { expand: listOf(text) }, (account, _values, { id }) =>
    requirePaymentMethod(account, id),
  ),

  endpoint(
    'POST',
    '/v1/payment_methods/:id/attach',
    { customer: required(text), expand: listOf(text) },
    (account, { customer }, { id }) => {
      const found = account.customers.get(customer)
      if (!found || found.deleted) throw noSuch('customer', customer, 'customer')
      return attachPaymentMethod(account, id, customer)
    },
  ),

  endpoint(
    'GET',
    '/v1/payment_methods',
    { ...LIST_PARAMS, customer: text, type: text },
    (account, { customer, type, ...paging }) =>
      listPage({
        collection: account.paymentMethods,
        what: 'PaymentMethod',
        url: '/v1/payment_methods',
        paging,
        by: [{ index: 'customer', value: customer }],
        where: (method) => method.customer !== null && (type === undefined || method.type === type),
      }),
  ),
]

/** Returns the last four digits of a known card number, else null. */
export function readCardNumber(written: string): string | null {
  const digits = written.replaceAll(/[\s-]/g, '')
  return KNOWN_NUMBERS.includes(digits) ? digits.slice(-4) : null
}

export function isDeclined(last4: string, { renewal }: { renewal: boolean }): boolean {
  return last4 === ALWAYS_DECLINED || (renewal && last4 === DECLINED_AT_RENEWAL)
}

/** Whether charges to this card are disputed, like those to Stripe's card 4000 0000 0000 0259. */
export function isDisputed(last4: string): boolean {
  return last4 === DISPUTED
}

export function requirePaymentMethod(account: Account, id: string, param = 'id'): Stripe.PaymentMethod {
  const method = account.paymentMethods.get(id)
  if (!method) throw noSuch('PaymentMethod', id, param)
  return method
}

/** Accepts an id or the name of a test payment method. */
export function attachPaymentMethod(account: Account, id: string, customer: string): Stripe.PaymentMethod {
  const last4 = READY_MADE[id]
  if (last4 !== undefined) {
    const made = newPaymentMethod({ last4, email: null, customer, created: account.seconds() })
    account.paymentMethods.put(made)
    account.emit('payment_method.attached', made)
    return made
  }
  const method = requirePaymentMethod(account, id, 'payment_method')
  if (toId(method.customer) === customer) return method
  if (method.customer) throw invalid('The payment method you provided has already been attached to a customer.')
  return change(account, {
    collection: account.paymentMethods,
    item: method,
    fields: { customer },
    type: 'payment_method.attached',
  })
}
