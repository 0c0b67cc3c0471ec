import type { Stripe } from 'stripe'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import { endpoint } from '../endpoint.ts'
import { badParameter, invalid, missingParameter, noSuch } from '../errors.ts'
import { CREATED_LIST_PARAMS, isWithin, listPage } from '../lists.ts'
import { newPrice } from '../objects.ts'
import { flag, integer, listOf, mergeMetadata, metadata, objectOf, oneOf, required, text } from '../params.ts'
import type { PriceData } from './price-data.ts'
import { PRODUCT_DATA, RECURRING } from './price-data.ts'
import { createDescribedProduct, requireProduct } from './products.ts'

export const priceEndpoints = [
  endpoint(
    'POST',
    '/v1/prices',
    {
      active: flag,
      billing_scheme: oneOf('per_unit'),
      currency: required(text),
      expand: listOf(text),
      lookup_key: text,
      metadata,
      nickname: text,
      product: text,
      product_data: PRODUCT_DATA,
      recurring: RECURRING,
      tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified'),
      transfer_lookup_key: flag,
      unit_amount: integer,
    },
    (account, values) => {
      takeLookupKey(account, values.lookup_key, values.transfer_lookup_key ?? false)
      const price = createPrice(account, values, {
        active: values.active ?? true,
        lookup_key: values.lookup_key || null,
        nickname: values.nickname || null,
        metadata: mergeMetadata({}, values.metadata),
      })
      account.emit('price.created', price)
      return price
    },
  ),

  endpoint('GET', '/v1/prices/:id', { expand: listOf(text) }, (account, _values, { id }) => requirePrice(account, id)),

  endpoint(
    'POST',
    '/v1/prices/:id',
    {
      active: flag,
      expand: listOf(text),
      lookup_key: text,
      metadata,
      nickname: text,
      tax_behavior: oneOf('exclusive', 'inclusive'),
      transfer_lookup_key: flag,
    },
    (account, values, { id }) => {
      const price = requirePrice(account, id)
      if (values.lookup_key && values.lookup_key !== price.lookup_key) {
        takeLookupKey(account, values.lookup_key, values.transfer_lookup_key ?? false)
      }
      return change(account, {
        collection: account.prices,
        item: price,
        fields: {
          ...(values.active === undefined ? {} : { active: values.active }),
          ...(values.lookup_key === undefined ? {} : { lookup_key: values.lookup_key || null }),
          ...(values.nickname === undefined ? {} : { nickname: values.nickname || null }),
          ...(values.tax_behavior === undefined ? {} : { tax_behavior: values.tax_behavior }),
          metadata: mergeMetadata(price.metadata, values.metadata),
        },
        type: 'price.updated',
      })
    },
  ),

  endpoint(
    'GET',
    '/v1/prices',
    {
      ...CREATED_LIST_PARAMS,
      active: flag,
      currency: text,
      lookup_keys: listOf(text),
      product: text,
      recurring: objectOf({ interval: text, usage_type: text }),
      type: oneOf('one_time', 'recurring'),
    },
    (account, { active, created, currency, lookup_keys: keys, product, recurring, type, ...paging }) =>
      listPage({
        collection: account.prices,
        what: 'price',
        url: '/v1/prices',
        paging,
        by: [{ index: 'product', value: product }],
        where: (price) =>
          (active === undefined || price.active === active) &&
          (currency === undefined || price.currency === currency) &&
          (keys === undefined || (price.lookup_key !== null && keys.includes(price.lookup_key))) &&
          (recurring?.interval === undefined || price.recurring?.interval === recurring.interval) &&
          (type === undefined || price.type === type) &&
          isWithin(price.created, created),
      }),
  ),
]

export function requirePrice(account: Account, id: string, param = 'id'): Stripe.Price {
  const price = account.prices.get(id)
  if (!price) throw noSuch('price', id, param)
  return price
}

/** Creates a price from `price_data` or the prices endpoint, and its product if it is described inline. */
export function createPrice(account: Account, data: PriceData, given: Partial<Stripe.Price>): Stripe.Price {
  const { currency, product, product_data: described, recurring, tax_behavior, unit_amount } = data
  if (!/^[a-z]{3}$/.test(currency.toLowerCase())) throw badParameter(`Invalid currency: ${currency}`, 'currency')
  if (unit_amount === undefined) throw missingParameter('unit_amount')
  if (unit_amount < 0) throw badParameter('Invalid non-negative integer', 'unit_amount', 'parameter_invalid_integer')
  if ((product === undefined) === (described === undefined)) {
    throw badParameter('You must specify either `product` or `product_data`.', 'product')
  }
  const created = account.seconds()
  if (product !== undefined) requireProduct(account, product, 'product')
  const productId = product ?? createDescribedProduct(account, described!, given.active ?? true).id
  return account.prices.put(
    newPrice({
      product: productId,
      currency: currency.toLowerCase(),
      unit_amount,
      created,
      recurring: recurring
        ? {
            interval: recurring.interval,
            interval_count: recurring.interval_count ?? 1,
            meter: null,
            trial_period_days: null,
            usage_type: 'licensed',
          }
        : null,
      ...(tax_behavior ? { tax_behavior } : {}),
      ...given,
    }),
  )
}

/** Only one active price may have a lookup key; `transfer` moves it from the other. */
function takeLookupKey(account: Account, key: string | undefined, transfer: boolean): void {
  if (!key) return
  const currentPrice = account.prices.by('lookup_key', key).find(({ active }) => active)
  if (!currentPrice) return
  if (!transfer) {
    throw invalid(
      `A price (\`${currentPrice.id}\`) already uses that lookup key. Use \`transfer_lookup_key\` to transfer it.`,
      { code: 'resource_already_exists', param: 'lookup_key' },
    )
  }
  change(account, {
    collection: account.prices,
    item: currentPrice,
    fields: { lookup_key: null },
    type: 'price.updated',
  })
}
