import type { Stripe } from 'stripe'
import { newId } from '../ids.ts'
import type { Account } from './account.ts'
import { change } from './account.ts'
import { requireCustomer } from './customers.ts'
import { endpoint } from './endpoint.ts'
import { invalid, missingParameter, noSuch } from './errors.ts'
import { LIST_PARAMS, listPage } from './lists.ts'
import type { Values } from './params.ts'
import {
  anything,
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
} from './params.ts'
import { requireSubscription } from './subscriptions.ts'

const FEATURES = objectOf({
  customer_update: objectOf({ allowed_updates: listOf(text), enabled: flag }),
  invoice_history: objectOf({ enabled: required(flag) }),
  payment_method_update: objectOf({ enabled: required(flag), payment_method_configuration: text }),
  subscription_cancel: objectOf({
    cancellation_reason: objectOf({ enabled: required(flag), options: listOf(text) }),
    enabled: flag,
    mode: oneOf('at_period_end', 'immediately'),
    proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
  }),
  subscription_update: objectOf({
    billing_cycle_anchor: oneOf('now', 'unchanged'),
    default_allowed_updates: listOf(oneOf('price', 'promotion_code', 'quantity')),
    enabled: flag,
    products: listOf(
      objectOf({
        adjustable_quantity: objectOf({ enabled: required(flag), maximum: integer, minimum: integer }),
        prices: required(listOf(text)),
        product: required(text),
      }),
    ),
    proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
    schedule_at_period_end: anything,
    trial_update_behavior: oneOf('continue_trial', 'end_trial'),
  }),
})

const CONFIGURATION_FIELDS = {
  business_profile: objectOf({ headline: text, privacy_policy_url: url, terms_of_service_url: url }),
  default_return_url: url,
  expand: listOf(text),
  login_page: objectOf({ enabled: flag }),
  metadata,
  name: text,
}

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

export const portalEndpoints = [
  endpoint(
    'POST',
    '/v1/billing_portal/configurations',
    { ...CONFIGURATION_FIELDS, features: required(FEATURES) },
    (account, { features, ...values }) => {
      const configuration = newConfiguration(account, features, account.portalConfigurations.size() === 0)
      const made = account.portalConfigurations.put({ ...configuration, ...fieldsOf(values, configuration) })
      account.emit('billing_portal.configuration.created', made)
      return made
    },
  ),

  endpoint('GET', '/v1/billing_portal/configurations/:id', { expand: listOf(text) }, (account, _values, { id }) =>
    requireConfiguration(account, id),
  ),

  endpoint(
    'POST',
    '/v1/billing_portal/configurations/:id',
    { ...CONFIGURATION_FIELDS, active: flag, features: FEATURES },
    (account, { active, features, ...values }, { id }) => {
      const configuration = requireConfiguration(account, id)
      return change(account, {
        collection: account.portalConfigurations,
        item: configuration,
        fields: {
          ...fieldsOf(values, configuration),
          ...(active === undefined ? {} : { active }),
          ...(features ? { features: featuresOf(account, features, configuration.features) } : {}),
          updated: account.seconds(),
        },
        type: 'billing_portal.configuration.updated',
      })
    },
  ),

  endpoint(
    'GET',
    '/v1/billing_portal/configurations',
    { ...LIST_PARAMS, active: flag, is_default: flag },
    (account, { active, is_default: isDefault, ...paging }) =>
      listPage({
        collection: account.portalConfigurations,
        what: 'configuration',
        url: '/v1/billing_portal/configurations',
        paging,
        where: (item) =>
          (active === undefined || item.active === active) &&
          (isDefault === undefined || item.is_default === isDefault),
      }),
  ),

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
        flow: values.flow_data ? flowOf(account, values.flow_data, customer.id) : null,
        livemode: false,
        locale: (values.locale || null) as Stripe.BillingPortal.Session.Locale | null,
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

/** As in an account whose owner has saved the portal's default settings once. */
export function defaultConfiguration(account: Account): Stripe.BillingPortal.Configuration {
  const known = account.portalConfigurations.all().find((item) => item.is_default)
  if (known) return known
  const everything = {
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' as const },
    subscription_update: { enabled: true, default_allowed_updates: ['price' as const] },
  }
  return account.portalConfigurations.put(newConfiguration(account, everything as unknown as FeatureValues, true))
}

type FeatureValues = NonNullable<Values<{ features: typeof FEATURES }>['features']>
type Features = Stripe.BillingPortal.Configuration.Features

function requireConfiguration(account: Account, id: string, param = 'id'): Stripe.BillingPortal.Configuration {
  const configuration = account.portalConfigurations.get(id)
  if (!configuration) throw noSuch('configuration', id, param)
  return configuration
}

function newConfiguration(
  account: Account,
  features: FeatureValues,
  isDefault: boolean,
): Stripe.BillingPortal.Configuration {
  const created = account.seconds()
  return {
    id: newId('bpc_1'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created,
    default_return_url: null,
    features: featuresOf(account, features, nothingEnabled()),
    is_default: isDefault,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: {},
    name: null,
    updated: created,
  }
}

function nothingEnabled(): Features {
  return {
    customer_update: { allowed_updates: [], enabled: false },
    invoice_history: { enabled: false },
    payment_method_update: { enabled: false, payment_method_configuration: null },
    subscription_cancel: {
      cancellation_reason: { enabled: false, feedback_options: [], options: [] },
      enabled: false,
      mode: 'at_period_end',
      proration_behavior: 'none',
    },
    subscription_pause: { duration: { interval_options: [], type: 'interval_options' }, enabled: false },
    subscription_update: {
      billing_cycle_anchor: null,
      default_allowed_updates: [],
      enabled: false,
      products: [],
      proration_behavior: 'none',
      schedule_at_period_end: { conditions: [] },
      trial_update_behavior: 'end_trial',
    },
  }
}

function featuresOf(account: Account, wanted: FeatureValues, before: Features): Features {
  for (const { product, prices } of wanted.subscription_update?.products ?? []) {
    if (!account.products.get(product)) throw noSuch('product', product, 'features[subscription_update][products]')
    const unknown = prices.find((price) => !account.prices.get(price))
    if (unknown) throw noSuch('price', unknown, 'features[subscription_update][products]')
  }
  const sent = wanted as Record<string, object | undefined>
  const merged = Object.entries(before).map(([name, feature]) => [name, { ...(feature as object), ...sent[name] }])
  const features = Object.fromEntries(merged) as Features
  const products = (features.subscription_update.products ?? []).map((product) => ({
    ...product,
    adjustable_quantity: product.adjustable_quantity ?? { enabled: false, maximum: null, minimum: 1 },
  }))
  return { ...features, subscription_update: { ...features.subscription_update, products } }
}

function fieldsOf(
  values: Values<typeof CONFIGURATION_FIELDS>,
  before: Stripe.BillingPortal.Configuration,
): Partial<Stripe.BillingPortal.Configuration> {
  const { business_profile: profile, default_return_url: back, name } = values
  return {
    ...(profile ? { business_profile: { ...before.business_profile, ...onlyGiven(profile) } } : {}),
    ...(back === undefined ? {} : { default_return_url: back || null }),
    ...(name === undefined ? {} : { name: name || null }),
    metadata: mergeMetadata(before.metadata ?? {}, values.metadata),
  }
}

function onlyGiven<T extends object>(values: T): { [K in keyof T]: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: NonNullable<T[K]>
  }
}

type FlowValues = NonNullable<Values<{ flow: typeof FLOW }>['flow']>

function flowOf(account: Account, flow: FlowValues, customer: string): Stripe.BillingPortal.Session.Flow {
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
