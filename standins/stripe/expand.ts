import type { Account } from './account.ts'
import { invalid } from './errors.ts'
import { listObject } from './objects.ts'

type Thing = Record<string, unknown>

/** How deep Stripe follows one expand path. */
const DEEPEST = 4

/** A copy of the object with the named fields filled in; the stored object is not touched. */
export function expand(account: Account, object: unknown, paths: string[]): unknown {
  return paths.reduce((expanded, path) => {
    const steps = path.split('.')
    if (steps.length > DEEPEST + (steps[0] === 'data' ? 1 : 0)) {
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
  const thing = value as Thing
  const held = step in thing ? thing[step] : included(account, thing, step)
  if (held === undefined) throw cannotExpand(path)
  const found = Array.isArray(held) ? held.map((item) => filledIn(account, item)) : filledIn(account, held)
  if (found === undefined) throw cannotExpand(path)
  return { ...thing, [step]: follow(account, found, { steps: rest, path }) }
}

function filledIn(account: Account, held: unknown): unknown {
  return typeof held === 'string' ? lookUp(account, held) : held
}

/** Fields that Stripe leaves out unless they are asked for. */
function included(account: Account, thing: Thing, field: string): unknown {
  const id = String(thing['id'])
  switch (`${String(thing['object'])}.${field}`) {
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
