import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account } from '../account.ts'
import { requireCustomer } from '../customers.ts'
import { endpoint } from '../endpoint.ts'
import { invalid, missingParameter } from '../errors.ts'
import type { Values } from '../params.ts'
import { integer, listOf, objectOf, oneOf, required, text, url } from '../params.ts'
import { defaultConfiguration, requireConfiguration } from './portal-configurations.ts'
import { requireSubscription } from '../billing/subscriptions.ts'

const AFTER_COMPLETION = objectOf({
  hosted_confirmation: objectOf({ custom_message: text }),
  redirect: objectOf({ return_url: required(url) }),
  type: required(oneOf('hosted_confirmation', 'portal_homepage', 'redirect')),
})

const FLOW = objectOf({
  after_completion: AFTER_COMPLETION,
  subscription_cancel: objectOf({ subscription: required(text) }),
  subscription_update: objectOf({ subscription: required(text) }),
  subscription_update_confirm: objectOf({
    items: required(listOf(objectOf({ id: required(text), price: text, quantity: integer }))),
    subscription: required(text),
  }),
  type: required(
    oneOf('payment_method_update', 'subscription_cancel', 'subscription_update', 'subscription_update_confirm'),
  ),
})

export const portalSessionEndpoints = [
  endpoint(
    'POST',
    '/v1/billing_portal/sessions',
    {
      configuration: text,
      customer: required(text),
      expand: listOf(text),
      flow_data: FLOW,
      locale: text,
      return_url: url,
    },
    (account, values) => {
      const customer = requireCustomer(account, values.customer, 'customer')
      const configuration = values.configuration
        ? requireConfiguration(account, values.configuration, 'configuration')
        : defaultConfiguration(account)
      const returnUrl = values.return_url || configuration.default_return_url
      const id = newId('bps_1')
      const session: Stripe.BillingPortal.Session = {
        id,
        object: 'billing_portal.session',
        configuration: configuration.id,
        created: account.seconds(),
        customer: customer.id,
        customer_account: null,
        flow: values.flow_data ? buildFlow(account, values.flow_data, customer.id) : null,
        livemode: false,
        locale: values.locale || null,
        on_behalf_of: null,
        return_url: returnUrl ?? null,
        url: `${account.publicUrl}/portal/${id}`,
      }
      account.portalSessions.put(session)
      account.emit('billing_portal.session.created', session)
      return session
    },
  ),
]

type FlowValues = NonNullable<Values<{ flow: typeof FLOW }>['flow']>

function buildFlow(account: Account, flow: FlowValues, customer: string): Stripe.BillingPortal.Session.Flow {
  const { after_completion: after, subscription_update_confirm: confirm, type } = flow
  const chosen = flow.subscription_cancel ?? flow.subscription_update ?? confirm
  if (type !== 'payment_method_update' && !chosen) throw missingParameter(`flow_data[${type}]`)
  if (chosen) {
    const subscription = requireSubscription(account, chosen.subscription, `flow_data[${type}][subscription]`)
    if (subscription.customer !== customer) {
      throw invalid(`No such subscription: '${chosen.subscription}'`, { code: 'resource_missing' })
    }
    if (subscription.status === 'canceled') {
      throw invalid('This subscription cannot be updated because it is already canceled.', { param: 'flow_data' })
    }
    if (type === 'subscription_cancel' && subscription.cancel_at_period_end) {
      throw invalid('This subscription is already set to be canceled at the end of its period.', { param: 'flow_data' })
    }
  }
  return {
    after_completion: {
      hosted_confirmation: after?.hosted_confirmation
        ? { custom_message: after.hosted_confirmation.custom_message ?? null }
        : null,
      redirect: after?.redirect ?? null,
      type: after?.type ?? 'portal_homepage',
    },
    customer_update: null,
    subscription_cancel: flow.subscription_cancel
      ? { retention: null, subscription: flow.subscription_cancel.subscription }
      : null,
    subscription_pause: null,
    subscription_update: flow.subscription_update ?? null,
    subscription_update_confirm: confirm
      ? {
          discounts: null,
          items: confirm.items.map(({ id, price, quantity }) => ({
            id,
            price: price ?? null,
            ...(quantity === undefined ? {} : { quantity }),
          })),
          subscription: confirm.subscription,
        }
      : null,
    type,
  }
}
