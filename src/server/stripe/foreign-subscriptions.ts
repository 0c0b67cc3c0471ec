import type Stripe from 'stripe'
import type { ForeignSubscription } from './payment-gateway.ts'
import { endOf, idOf, LEVEL_PRODUCT_PREFIX, toSubscriptionSnapshot } from './stripe-mapping.ts'

/** Stripe's maximum of ids in a list, and of objects on a page. */
const PAGE = 100

/** Names of the products of subscriptions by id. They are read apart: Stripe expands four levels only, and the product is on the fifth. */
export async function productNames(
  stripe: Stripe,
  subscriptions: readonly Stripe.Subscription[],
): Promise<ReadonlyMap<string, string>> {
  const products = subscriptions.map(({ items }) => idOf(items.data[0]?.price.product) ?? '')
  const ids = [...new Set(products)].filter(Boolean)
  const names = new Map<string, string>()
  for (let i = 0; i < ids.length; i += PAGE) {
    const { data } = await stripe.products.list({ ids: ids.slice(i, i + PAGE), limit: PAGE })
    for (const { id, name } of data) names.set(id, name)
  }
  return names
}

export function toForeignSubscription(
  subscription: Stripe.Subscription,
  names: ReadonlyMap<string, string>,
): ForeignSubscription {
  const { customer, items, metadata } = subscription
  const { lastPaid: _paid, card: _card, ...snapshot } = toSubscriptionSnapshot(subscription)
  const price = items.data[0]?.price
  const product = idOf(price?.product) ?? ''
  const isKnown = typeof customer === 'object' && !customer.deleted
  return {
    snapshot,
    email: isKnown ? customer.email : null,
    isOurs: 'checkout_id' in metadata || snapshot.levelKey !== null || product.startsWith(LEVEL_PRODUCT_PREFIX),
    items: items.data.length,
    name: nameOf(names.get(product) ?? '', price?.nickname ?? ''),
    currency: subscription.currency,
    months: monthsOf(price?.recurring ?? null),
    obstacle: obstacleOf(subscription),
  }
}

function nameOf(product: string, price: string): string {
  if (product === '' || price === '' || product === price) return product || price
  return `${product} (${price})`
}

function monthsOf(recurring: Stripe.Price.Recurring | null): number | null {
  if (recurring?.interval === 'year') return 12 * recurring.interval_count
  return recurring?.interval === 'month' ? recurring.interval_count : null
}

function obstacleOf(subscription: Stripe.Subscription): ForeignSubscription['obstacle'] {
  if (subscription.collection_method === 'send_invoice') return 'invoices'
  if (subscription.pause_collection !== null) return 'paused'
  if (subscription.schedule !== null) return 'schedule'
  return endOf(subscription) === 'later' ? 'ends-later' : null
}
