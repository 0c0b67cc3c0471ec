import type { Stripe } from 'stripe'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import { DECLINED_TEXT } from '../payments/charge-object.ts'
import { productName } from '../billing/products.ts'
import { requireCustomer } from '../customers.ts'
import { StripeFailure } from '../errors.ts'
import { toId, newPaymentMethod } from '../objects.ts'
import { attachPaymentMethod, isDeclined, readCardNumber } from '../payments/payment-methods.ts'
import { payOpenInvoice } from '../billing/renewals.ts'
import { planItems } from '../billing/subscription-changes.ts'
import type { ProrationBehavior } from '../billing/subscriptions.ts'
import { applyItems, endSubscription, isLive, setCancelAtPeriodEnd } from '../billing/subscriptions.ts'

export type PortalResult = { done: string } | { refused: string }
type PlanOffer = { price: Stripe.Price; name: string }

type Features = Stripe.BillingPortal.Configuration.Features

export function customerSubscriptions(account: Account, session: Stripe.BillingPortal.Session): Stripe.Subscription[] {
  return account.subscriptions.by('customer', session.customer).filter(isLive).reverse()
}

/** The plans a customer may switch to: the configuration's products, or every recurring price when it lists none. */
export function listAvailablePlans(
  account: Account,
  features: Features,
  subscription: Stripe.Subscription,
): PlanOffer[] {
  const { default_allowed_updates: allowed, enabled, products } = features.subscription_update
  if (!enabled || !allowed.includes('price')) return []
  const named = (products ?? []).flatMap(({ prices }) => prices)
  const prices = named.length > 0 ? named.flatMap((id) => account.prices.get(id) ?? []) : account.prices.all()
  const current = subscription.items.data[0]!.price.id
  return prices
    .filter(
      (price) => price.active && price.recurring && price.id !== current && price.currency === subscription.currency,
    )
    .map((price) => ({ price, name: productName(account, price) }))
}

export function updateCard(account: Account, session: Stripe.BillingPortal.Session, written: string): PortalResult {
  const last4 = readCardNumber(written)
  if (last4 === null) return { refused: 'Your card number is incorrect.' }
  if (isDeclined(last4, { renewal: false })) return { refused: DECLINED_TEXT }
  const customer = requireCustomer(account, session.customer)
  const made = newPaymentMethod({ last4, email: customer.email, customer: null, created: account.seconds() })
  account.paymentMethods.put(made)
  const method = attachPaymentMethod(account, made.id, customer.id)
  change(account, {
    collection: account.customers,
    item: customer,
    fields: { invoice_settings: { ...customer.invoice_settings, default_payment_method: method.id } },
    type: 'customer.updated',
  })
  for (const subscription of customerSubscriptions(account, session)) {
    change(account, {
      collection: account.subscriptions,
      item: subscription,
      fields: { default_payment_method: method.id },
      type: 'customer.subscription.updated',
    })
  }
  return { done: payWhatIsOpen(account, session, method) }
}

export function changePlan(
  account: Account,
  { features, subscription, priceId }: { features: Features; subscription: Stripe.Subscription; priceId: string },
): PortalResult {
  const offer = listAvailablePlans(account, features, subscription).find(({ price }) => price.id === priceId)
  if (!offer) return { refused: 'This plan is not offered.' }
  const wanted = { id: subscription.items.data[0]!.id, price: priceId }
  const nothingElse = { deleted: undefined, metadata: undefined, quantity: undefined }
  try {
    applyItems(account, subscription, {
      plan: planItems(account, subscription, { changes: [{ ...nothingElse, ...wanted }], at: account.seconds() }),
      behavior: features.subscription_update.proration_behavior as ProrationBehavior,
      declined: 'error',
    })
  } catch (error) {
    if (error instanceof StripeFailure) return { refused: error.message }
    throw error
  }
  return { done: `Your plan is now ${offer.name}.` }
}

export function cancelOrResume(
  account: Account,
  {
    features,
    subscription,
    action,
  }: { features: Features; subscription: Stripe.Subscription; action: 'cancel' | 'resume' },
): PortalResult {
  if (action === 'resume') {
    setCancelAtPeriodEnd(account, subscription, false)
    return { done: 'Your subscription goes on.' }
  }
  if (!features.subscription_cancel.enabled) return { refused: 'Cancelling is not offered here.' }
  if (features.subscription_cancel.mode === 'immediately') {
    endSubscription(account, subscription, { reason: 'cancellation_requested' })
    return { done: 'Your subscription has ended.' }
  }
  setCancelAtPeriodEnd(account, subscription, true)
  return { done: 'Your subscription ends at the close of the period you have paid for.' }
}

function payWhatIsOpen(account: Account, session: Stripe.BillingPortal.Session, method: Stripe.PaymentMethod): string {
  const open = account.invoices
    .by('customer', session.customer)
    .filter(
      ({ status, parent }) =>
        status === 'open' && isStillOwed(account, toId(parent?.subscription_details?.subscription)),
    )
  const paid = open.map((invoice) => payOpenInvoice(account, invoice, method)).every((result) => result.paid)
  if (open.length === 0) return 'Your card was updated.'
  return paid
    ? 'Your card was updated and what was due has been paid.'
    : 'Your card was updated, but the payment that is due failed.'
}

function isStillOwed(account: Account, subscription: string | null): boolean {
  const found = subscription ? account.subscriptions.get(subscription) : undefined
  return found !== undefined && isLive(found)
}
