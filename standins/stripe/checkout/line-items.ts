import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account } from '../account.ts'
import { badParameter, invalid, missingParameter } from '../errors.ts'
import { integer, listOf, objectOf, text } from '../params.ts'
import type { Values } from '../params.ts'
import { PRICE_DATA } from '../billing/price-data.ts'
import { createPrice, requirePrice } from '../billing/prices.ts'
import { productName } from '../billing/products.ts'

const LINE_SHAPE = { price: text, price_data: PRICE_DATA, quantity: integer }
export const LINE_ITEMS = listOf(objectOf(LINE_SHAPE))

type RequestedItem = { line_items?: Values<typeof LINE_SHAPE>[] | undefined; mode: 'payment' | 'subscription' }

export function lineItems(account: Account, { line_items: requested = [], mode }: RequestedItem): Stripe.LineItem[] {
  const priced = requested.map((line, index) => {
    const param = `line_items[${index}]`
    if ((line.price === undefined) === (line.price_data === undefined)) {
      throw badParameter('You must specify either `price` or `price_data`.', param)
    }
    if (line.quantity === undefined) throw missingParameter(`${param}[quantity]`)
    if (line.quantity < 1) throw badParameter('Invalid positive integer', `${param}[quantity]`)
    const price = line.price
      ? requirePrice(account, line.price, `${param}[price]`)
      : createPrice(account, line.price_data!, { active: false })
    if (line.price && !price.active) {
      throw invalid(`The price specified is inactive. This field only accepts active prices.`, {
        param: `${param}[price]`,
      })
    }
    return { price, quantity: line.quantity }
  })
  const recurring = priced.filter(({ price }) => price.recurring)
  if (mode === 'payment' && recurring.length > 0) {
    throw invalid(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    )
  }
  if (mode === 'subscription' && recurring.length === 0) {
    throw invalid('You must provide at least one recurring price in `subscription` mode when using prices.')
  }
  if (mode === 'subscription' && recurring.length < priced.length) {
    throw invalid('This stand-in takes no one-time prices beside a subscription.', { param: 'line_items' })
  }
  if (new Set(priced.map(({ price }) => price.currency)).size > 1) {
    throw invalid('All prices on a Checkout Session must be in the same currency.')
  }
  return priced.map(({ price, quantity }) => lineItem(account, price, quantity))
}

function lineItem(account: Account, price: Stripe.Price, quantity: number): Stripe.LineItem {
  const amount = (price.unit_amount ?? 0) * quantity
  return {
    id: newId('li_1'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: productName(account, price),
    metadata: {},
    price,
    quantity,
  }
}
