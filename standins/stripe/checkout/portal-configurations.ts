import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import { endpoint } from '../endpoint.ts'
import { noSuch } from '../errors.ts'
import { LIST_PARAMS, listPage } from '../lists.ts'
import type { Values } from '../params.ts'
import {
  anyValue,
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
    schedule_at_period_end: anyValue,
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

export const portalConfigurationEndpoints = [
  endpoint(
    'POST',
    '/v1/billing_portal/configurations',
    { ...CONFIGURATION_FIELDS, features: required(FEATURES) },
    (account, { features, ...values }) => {
      const configuration = newConfiguration(account, features, account.portalConfigurations.size() === 0)
      const made = account.portalConfigurations.put({ ...configuration, ...buildFields(values, configuration) })
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
          ...buildFields(values, configuration),
          ...(active === undefined ? {} : { active }),
          ...(features ? { features: buildFeatures(account, features, configuration.features) } : {}),
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
]

/** Like an account whose owner has saved the portal's default settings once. */
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

export function requireConfiguration(account: Account, id: string, param = 'id'): Stripe.BillingPortal.Configuration {
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
    features: buildFeatures(account, features, nothingEnabled()),
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

function buildFeatures(account: Account, requested: FeatureValues, before: Features): Features {
  for (const { product, prices } of requested.subscription_update?.products ?? []) {
    if (!account.products.get(product)) throw noSuch('product', product, 'features[subscription_update][products]')
    const unknown = prices.find((price) => !account.prices.get(price))
    if (unknown) throw noSuch('price', unknown, 'features[subscription_update][products]')
  }
  const sent = requested as Record<string, object | undefined>
  const merged = Object.entries(before).map(([name, feature]) => [name, { ...(feature as object), ...sent[name] }])
  const features = Object.fromEntries(merged) as Features
  const products = (features.subscription_update.products ?? []).map((product) => ({
    ...product,
    adjustable_quantity: product.adjustable_quantity ?? { enabled: false, maximum: null, minimum: 1 },
  }))
  return { ...features, subscription_update: { ...features.subscription_update, products } }
}

function buildFields(
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
