import type { Stripe } from 'stripe'
import type { Account } from './account.ts'
import { change } from './account.ts'
import { noSuch } from './errors.ts'
import { CREATED_LIST_PARAMS, isWithin, listPage } from './lists.ts'
import { toId, newCustomer } from './objects.ts'
import { anyValue, email, listOf, mergeMetadata, metadata, objectOf, text } from './params.ts'
import type { Values } from './params.ts'
import { attachPaymentMethod, requirePaymentMethod } from './payments/payment-methods.ts'
import { endSubscription } from './billing/subscriptions.ts'
import { endpoint } from './endpoint.ts'

const CHANGEABLE = {
  address: anyValue,
  description: text,
  email,
  expand: listOf(text),
  invoice_settings: objectOf({ default_payment_method: text, footer: text }),
  metadata,
  name: text,
  phone: text,
  preferred_locales: listOf(text),
  shipping: anyValue,
}

export const customerEndpoints = [
  endpoint('POST', '/v1/customers', { ...CHANGEABLE, payment_method: text }, (account, values) => {
    const customer = account.customers.put(
      newCustomer({
        email: values.email || null,
        created: account.seconds(),
        ...changedFields(values),
        metadata: mergeMetadata({}, values.metadata),
      }),
    ) as Stripe.Customer
    account.emit('customer.created', customer)
    const attached = values.payment_method ? attachPaymentMethod(account, values.payment_method, customer.id).id : null
    const requested = values.invoice_settings?.default_payment_method
    if (!requested) return customer
    return setDefaultPaymentMethod(account, customer, requested === values.payment_method ? attached! : requested)
  }),

  endpoint('GET', '/v1/customers/:id', { expand: listOf(text) }, (account, _values, { id }) => {
    const customer = account.customers.get(id)
    if (!customer) throw noSuch('customer', id)
    return customer
  }),

  endpoint('POST', '/v1/customers/:id', CHANGEABLE, (account, values, { id }) => {
    const customer = requireCustomer(account, id)
    const changed = change(account, {
      collection: account.customers,
      item: customer,
      fields: { ...changedFields(values), metadata: mergeMetadata(customer.metadata, values.metadata) },
      type: 'customer.updated',
    }) as Stripe.Customer
    const requested = values.invoice_settings?.default_payment_method
    return requested === undefined ? changed : setDefaultPaymentMethod(account, changed, requested)
  }),

  endpoint('DELETE', '/v1/customers/:id', {}, (account, _values, { id }) => {
    const customer = requireCustomer(account, id)
    for (const subscription of account.subscriptions.by('customer', id)) {
      if (!subscription.ended_at) endSubscription(account, subscription, { reason: 'cancellation_requested' })
    }
    account.customers.put({ id, object: 'customer', deleted: true })
    account.emit('customer.deleted', customer)
    return { id, object: 'customer', deleted: true }
  }),

  endpoint('GET', '/v1/customers', { ...CREATED_LIST_PARAMS, email: text }, (account, values) =>
    listPage({
      collection: account.customers,
      what: 'customer',
      url: '/v1/customers',
      paging: values,
      by: [{ index: 'email', value: values.email }],
      where: (customer) => !customer.deleted && isWithin(customer.created, values.created),
    }),
  ),
]

/** Throws Stripe's `resource_missing`; `param` names the source of the id. */
export function requireCustomer(account: Account, id: string, param = 'id'): Stripe.Customer {
  const customer = account.customers.get(id)
  if (!customer || customer.deleted) throw noSuch('customer', id, param)
  return customer
}

function setDefaultPaymentMethod(account: Account, customer: Stripe.Customer, id: string): Stripe.Customer {
  const method = id === '' ? null : requirePaymentMethod(account, id, 'invoice_settings[default_payment_method]')
  if (method && toId(method.customer) !== customer.id) {
    throw noSuch('PaymentMethod', id, 'invoice_settings[default_payment_method]')
  }
  return change(account, {
    collection: account.customers,
    item: customer,
    fields: { invoice_settings: { ...customer.invoice_settings, default_payment_method: method?.id ?? null } },
    type: 'customer.updated',
  }) as Stripe.Customer
}

function changedFields(values: Values<typeof CHANGEABLE>): Partial<Stripe.Customer> {
  return {
    ...(values.address === undefined ? {} : { address: (values.address || null) as Stripe.Address | null }),
    ...(values.description === undefined ? {} : { description: values.description || null }),
    ...(values.email === undefined ? {} : { email: values.email || null }),
    ...(values.name === undefined ? {} : { name: values.name || null }),
    ...(values.phone === undefined ? {} : { phone: values.phone || null }),
    ...(values.preferred_locales === undefined ? {} : { preferred_locales: values.preferred_locales }),
    ...(values.shipping === undefined ? {} : { shipping: (values.shipping || null) as Stripe.Customer['shipping'] }),
  }
}
