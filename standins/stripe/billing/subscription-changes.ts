import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account } from '../account.ts'
import { requirePrice } from './prices.ts'
import { productName } from './products.ts'
import { badParameter, invalid, noSuch } from '../errors.ts'
import type { LineParts } from './invoice-object.ts'
import { periodLine } from './invoicing.ts'
import { toId, toPlan } from '../objects.ts'
import { flag, integer, listOf, mergeMetadata, metadata, objectOf, text } from '../params.ts'
import type { Values } from '../params.ts'
import { endOfPeriod } from './periods.ts'

const ITEM_SHAPE = { deleted: flag, id: text, metadata, price: text, quantity: integer }
export const ITEMS = listOf(objectOf(ITEM_SHAPE))
type ItemChange = Values<typeof ITEM_SHAPE>

export type ItemPlan = {
  items: Stripe.SubscriptionItem[]
  /** Credits and charges of a prorated change. */
  prorations: LineParts[]
  /** Whether the billing period restarts because the new price has another interval. */
  restarts: boolean
}

export function newItem(
  account: Account,
  {
    price,
    quantity,
    subscription,
    start,
    end,
  }: { price: Stripe.Price; quantity: number; subscription: string; start: number; end: number },
): Stripe.SubscriptionItem {
  return {
    id: newId('si_', 14),
    object: 'subscription_item',
    billing_thresholds: null,
    created: account.seconds(),
    current_period_end: end,
    current_period_start: start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: toPlan(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  }
}

/** Throws Stripe's error for a price without a recurring interval. */
export function requireRecurringPrice(account: Account, id: string, param: string): Stripe.Price {
  const price = requirePrice(account, id, param)
  if (!price.recurring) {
    throw badParameter(
      `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
      param,
    )
  }
  if (!price.active) {
    throw invalid('The price specified is inactive. This field only accepts active prices.', { param })
  }
  return price
}

/** Computes the new items and their cost from `at` on (epoch seconds); changes nothing. */
export function planItems(
  account: Account,
  subscription: Stripe.Subscription,
  { changes, at }: { changes: ItemChange[]; at: number },
): ItemPlan {
  const before = subscription.items.data
  const { current_period_start: start, current_period_end: end } = before[0]!
  let items = [...before]
  for (const [place, wanted] of changes.entries()) {
    const param = `items[${place}]`
    const known = wanted.id === undefined ? undefined : before.find(({ id }) => id === wanted.id)
    if (wanted.id !== undefined && !known) throw noSuch('subscription item', wanted.id, `${param}[id]`)
    if (wanted.deleted) items = items.filter(({ id }) => id !== wanted.id)
    else if (known)
      items = items.map((item) => (item.id === known.id ? changedItem(account, item, { wanted, param }) : item))
    else {
      if (!wanted.price)
        throw badParameter(`Missing required param: ${param}[price].`, `${param}[price]`, 'parameter_missing')
      const price = requireRecurringPrice(account, wanted.price, `${param}[price]`)
      items.push(newItem(account, { price, quantity: wanted.quantity ?? 1, subscription: subscription.id, start, end }))
    }
  }
  if (items.length === 0) throw invalid('A subscription must have at least one active plan.', { param: 'items' })
  return withProrations(account, { before, items, at, start, end })
}

type Proration = {
  before: Stripe.SubscriptionItem[]
  items: Stripe.SubscriptionItem[]
  at: number
  start: number
  end: number
}

function withProrations(account: Account, { before, items, at, start, end }: Proration): ItemPlan {
  const left = Math.max(0, Math.min(1, (end - at) / (end - start)))
  const restarts = intervalOf(items[0]!) !== intervalOf(before[0]!)
  const newEnd = restarts ? endOfPeriod(at, at, items[0]!.price.recurring!) : end
  const gone = before.filter((item) => !items.some((kept) => isSame(kept, item)))
  const added = items.filter((item) => !before.some((known) => isSame(known, item)))
  const credits = gone.map((item) => part(account, item, { share: -left, start: at, end, words: 'Unused time on' }))
  const charged = restarts
    ? items.map((item) => periodLine(account, { ...lineOf(item), start: at, end: newEnd }))
    : added.map((item) => part(account, item, { share: left, start: at, end, words: 'Remaining time on' }))
  return {
    items: restarts ? items.map((item) => ({ ...item, current_period_start: at, current_period_end: newEnd })) : items,
    prorations: [...credits, ...charged],
    restarts,
  }
}

function part(
  account: Account,
  item: Stripe.SubscriptionItem,
  { share, start, end, words }: { share: number; start: number; end: number; words: string },
): LineParts {
  const full = (item.price.unit_amount ?? 0) * (item.quantity ?? 1)
  const day = new Date(start * 1000).toLocaleDateString('en-GB', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return {
    ...lineOf(item),
    amount: Math.round(full * share),
    description: `${words} ${productName(account, item.price)} after ${day}`,
    start,
    end,
    proration: true,
  }
}

function changedItem(
  account: Account,
  item: Stripe.SubscriptionItem,
  { wanted, param }: { wanted: ItemChange; param: string },
): Stripe.SubscriptionItem {
  const price = wanted.price ? requireRecurringPrice(account, wanted.price, `${param}[price]`) : item.price
  return {
    ...item,
    price,
    plan: toPlan(price),
    quantity: wanted.quantity ?? item.quantity ?? 1,
    metadata: mergeMetadata(item.metadata, wanted.metadata),
  }
}

function isSame(one: Stripe.SubscriptionItem, other: Stripe.SubscriptionItem): boolean {
  return one.id === other.id && toId(one.price) === toId(other.price) && one.quantity === other.quantity
}

function intervalOf({ price }: Stripe.SubscriptionItem): string {
  return `${price.recurring?.interval_count} ${price.recurring?.interval}`
}

function lineOf(item: Stripe.SubscriptionItem): { price: Stripe.Price; quantity: number; item: string } {
  return { price: item.price, quantity: item.quantity ?? 1, item: item.id }
}
