import type { Stripe } from 'stripe'
import type { Account } from './account.ts'
import { change } from './account.ts'
import { endpoint } from './endpoint.ts'
import { badParameter, invalid, missingParameter, noSuch } from './errors.ts'
import { CREATED_LIST_PARAMS, isWithin, listPage } from './lists.ts'
import { idOf, newPrice, newProduct } from './objects.ts'
import { flag, integer, listOf, mergeMetadata, metadata, objectOf, oneOf, required, text, url } from './params.ts'
import type { Values } from './params.ts'

const PRODUCT_FIELDS = {
  active: flag,
  description: text,
  expand: listOf(text),
  images: listOf(text),
  marketing_features: listOf(objectOf({ name: required(text) })),
  metadata,
  shippable: flag,
  statement_descriptor: text,
  tax_code: text,
  unit_label: text,
  url,
}

const RECURRING = objectOf({
  interval: required(oneOf('day', 'week', 'month', 'year')),
  interval_count: integer,
  usage_type: oneOf('licensed'),
})

export const PRODUCT_DATA = objectOf({
  name: required(text),
  description: text,
  images: listOf(text),
  metadata,
  tax_code: text,
  unit_label: text,
})

export const PRICE_DATA = objectOf({
  currency: required(text),
  product: text,
  product_data: PRODUCT_DATA,
  recurring: RECURRING,
  tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified'),
  unit_amount: integer,
})

const PRODUCT_ID = /^[A-Za-z0-9_-]{1,255}$/

export const catalogueEndpoints = [
  endpoint(
    'POST',
    '/v1/products',
    { ...PRODUCT_FIELDS, id: text, name: required(text), type: oneOf('good', 'service') },
    (account, { id, name, type, ...values }) => {
      if (id !== undefined && !PRODUCT_ID.test(id)) throw badParameter('Invalid product id.', 'id')
      if (id !== undefined && account.products.get(id)) {
        throw invalid('Product already exists.', { code: 'resource_already_exists', param: 'id' })
      }
      const product = newProduct({
        name,
        created: account.seconds(),
        ...productChanges(values),
        metadata: mergeMetadata({}, values.metadata),
        ...(id ? { id } : {}),
        ...(type ? { type } : {}),
      })
      account.emit('product.created', account.products.put(product))
      return product
    },
  ),

  endpoint('GET', '/v1/products/:id', { expand: listOf(text) }, (account, _values, { id }) =>
    requireProduct(account, id),
  ),

  endpoint(
    'POST',
    '/v1/products/:id',
    { ...PRODUCT_FIELDS, name: text, default_price: text },
    (account, { name, default_price, ...values }, { id }) => {
      const product = requireProduct(account, id)
      if (default_price) requirePrice(account, default_price, 'default_price')
      return change(account, {
        collection: account.products,
        item: product,
        fields: {
          ...productChanges(values),
          ...(name ? { name } : {}),
          ...(default_price === undefined ? {} : { default_price: default_price || null }),
          metadata: mergeMetadata(product.metadata, values.metadata),
          updated: account.seconds(),
        },
        type: 'product.updated',
      })
    },
  ),

  endpoint(
    'GET',
    '/v1/products',
    { ...CREATED_LIST_PARAMS, active: flag, ids: listOf(text), url: text },
    (account, { active, created, ids, url: address, ...paging }) =>
      listPage({
        collection: account.products,
        what: 'product',
        url: '/v1/products',
        paging,
        where: (product) =>
          (active === undefined || product.active === active) &&
          (ids === undefined || ids.includes(product.id)) &&
          (address === undefined || product.url === address) &&
          isWithin(product.created, created),
      }),
  ),

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

export function requireProduct(account: Account, id: string, param = 'id'): Stripe.Product {
  const product = account.products.get(id)
  if (!product) throw noSuch('product', id, param)
  return product
}

export function requirePrice(account: Account, id: string, param = 'id'): Stripe.Price {
  const price = account.prices.get(id)
  if (!price) throw noSuch('price', id, param)
  return price
}

export function productName(account: Account, price: Stripe.Price): string {
  return account.products.get(idOf(price.product) ?? '')?.name ?? 'Unnamed product'
}

/** A price from `price_data` or the prices endpoint, with its product made on the way where it is described. */
export function createPrice(
  account: Account,
  data: Values<{ [K in keyof PriceData]: PriceData[K] }>,
  given: Partial<Stripe.Price>,
): Stripe.Price {
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

type PriceData = {
  currency: ReturnType<typeof required<string>>
  product: typeof text
  product_data: typeof PRODUCT_DATA
  recurring: typeof RECURRING
  tax_behavior: ReturnType<typeof oneOf<'exclusive' | 'inclusive' | 'unspecified'>>
  unit_amount: typeof integer
}

function createDescribedProduct(
  account: Account,
  described: NonNullable<ReturnType<typeof PRODUCT_DATA.read>>,
  active: boolean,
): Stripe.Product {
  const { name, metadata: given, ...rest } = described
  const product = newProduct({ name, created: account.seconds(), active, metadata: mergeMetadata({}, given) })
  return account.products.put({ ...product, ...productChanges(rest) })
}

/** Only one active price may carry a lookup key; `transfer` takes it from the other. */
function takeLookupKey(account: Account, key: string | undefined, transfer: boolean): void {
  if (!key) return
  const holder = account.prices.by('lookup_key', key).find(({ active }) => active)
  if (!holder) return
  if (!transfer) {
    throw invalid(
      `A price (\`${holder.id}\`) already uses that lookup key. Use \`transfer_lookup_key\` to transfer it.`,
      { code: 'resource_already_exists', param: 'lookup_key' },
    )
  }
  change(account, { collection: account.prices, item: holder, fields: { lookup_key: null }, type: 'price.updated' })
}

function productChanges(values: Partial<Values<typeof PRODUCT_FIELDS>>): Partial<Stripe.Product> {
  const { active, description, images, marketing_features, shippable, statement_descriptor, tax_code, unit_label } =
    values
  return {
    ...(active === undefined ? {} : { active }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(images === undefined ? {} : { images }),
    ...(marketing_features === undefined ? {} : { marketing_features }),
    ...(shippable === undefined ? {} : { shippable }),
    ...(statement_descriptor === undefined ? {} : { statement_descriptor: statement_descriptor || null }),
    ...(tax_code === undefined ? {} : { tax_code: tax_code || null }),
    ...(unit_label === undefined ? {} : { unit_label: unit_label || null }),
    ...(values.url === undefined ? {} : { url: values.url || null }),
  }
}
