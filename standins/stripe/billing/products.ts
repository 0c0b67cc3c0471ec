import type { Stripe } from 'stripe'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import { endpoint } from '../endpoint.ts'
import { badParameter, invalid, noSuch } from '../errors.ts'
import { CREATED_LIST_PARAMS, isWithin, listPage } from '../lists.ts'
import { toId, newProduct } from '../objects.ts'
import { flag, listOf, mergeMetadata, metadata, objectOf, oneOf, required, text, url } from '../params.ts'
import type { Values } from '../params.ts'
import type { PRODUCT_DATA } from './price-data.ts'
import { requirePrice } from './prices.ts'

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

const PRODUCT_ID = /^[A-Za-z0-9_-]{1,255}$/

export const productEndpoints = [
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
]

export function requireProduct(account: Account, id: string, param = 'id'): Stripe.Product {
  const product = account.products.get(id)
  if (!product) throw noSuch('product', id, param)
  return product
}

export function productName(account: Account, price: Stripe.Price): string {
  return account.products.get(toId(price.product) ?? '')?.name ?? 'Unnamed product'
}

/** Creates the product described within a price. */
export function createDescribedProduct(
  account: Account,
  described: NonNullable<ReturnType<typeof PRODUCT_DATA.read>>,
  active: boolean,
): Stripe.Product {
  const { name, metadata: given, ...rest } = described
  const product = newProduct({ name, created: account.seconds(), active, metadata: mergeMetadata({}, given) })
  return account.products.put({ ...product, ...productChanges(rest) })
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
