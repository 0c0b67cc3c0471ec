import type { Account } from './account.ts'
import { invalid } from './errors.ts'
import { listObject } from './objects.ts'

type JsonObject = Record<string, unknown>

/** Stripe's maximum depth of an expand path. */
const DEEPEST = 4

/** Returns a copy of the object with the named fields expanded; the stored object is unchanged. */
export function expand(account: Account, object: unknown, paths: string[]): unknown {
  return paths.reduce((expanded, path) => {
    const steps = path.split('.')
    if (steps.length > DEEPEST) {
      throw invalid(`You cannot expand more than 4 levels of a property. Property: ${path}.`, { param: 'expand' })
    }
    return follow(account, expanded, { steps, path })
  }, object)
}

function follow(account: Account, value: unknown, { steps, path }: { steps: string[]; path: string }): unknown {
  const [step, ...rest] = steps
  if (step === undefined || value === null) return value
  if (Array.isArray(value)) return value.map((item) => follow(account, item, { steps, path }))
  if (typeof value !== 'object') throw cannotExpand(path)
  const object = value as JsonObject
  const stored = step in object ? object[step] : included(account, object, step)
  if (stored === undefined) throw cannotExpand(path)
  const found = Array.isArray(stored) ? stored.map((item) => filledIn(account, item)) : filledIn(account, stored)
  if (found === undefined) throw cannotExpand(path)
  return { ...object, [step]: follow(account, found, { steps: rest, path }) }
}

function filledIn(account: Account, stored: unknown): unknown {
  return typeof stored === 'string' ? lookUp(account, stored) : stored
}

/** Fields that Stripe includes only when expanded. */
function included(account: Account, object: JsonObject, field: string): unknown {
  const id = String(object['id'])
  switch (`${String(object['object'])}.${field}`) {
    case 'checkout.session.line_items':
      return listObject(`/v1/checkout/sessions/${id}/line_items`, account.drafts.get(id)?.lines ?? [])
    case 'invoice.payments':
      return listObject('/v1/invoice_payments', account.invoicePayments.by('invoice', id))
    case 'invoice.confirmation_secret':
      return null
    case 'customer.subscriptions':
      return listObject(
        `/v1/customers/${id}/subscriptions`,
        account.subscriptions.by('customer', id).filter(({ status }) => status !== 'canceled'),
      )
    case 'coupon.applies_to': {
      const products = account.couponScopes.get(id)?.products
      return products ? { products } : undefined
    }
    case 'charge.refunds':
      return listObject(`/v1/charges/${id}/refunds`, account.refunds.by('charge', id).reverse())
    default:
      return undefined
  }
}

function lookUp(account: Account, id: string): unknown {
  const collections: Record<string, { get(id: string): unknown }> = {
    cus: account.customers,
    prod: account.products,
    price: account.prices,
    pm: account.paymentMethods,
    cs: account.sessions,
    sub: account.subscriptions,
    in: account.invoices,
    inpay: account.invoicePayments,
    pi: account.paymentIntents,
    ch: account.charges,
    re: account.refunds,
    dp: account.disputes,
    po: account.payouts,
    bpc: account.portalConfigurations,
    promo: account.promotionCodes,
    di: account.discounts,
  }
  const found = collections[id.slice(0, id.indexOf('_'))]?.get(id)
  return found ?? account.products.get(id) ?? account.coupons.get(id)
}

function cannotExpand(path: string): Error {
  return invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
}
