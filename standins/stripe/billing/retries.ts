import type { Stripe } from 'stripe'
import type { Account, BillingState } from './account.ts'
import { change } from './account.ts'
import type { LineParts } from './invoice-object.ts'

const DAY = 86_400
/** Days after the failure before: the schedule of the account, then Stripe gives up. */
export const RETRY_AFTER_DAYS = [3, 5, 7]

export function billingOf(account: Account, { id }: Stripe.Subscription): BillingState {
  const none = { openInvoice: null, retries: 0, nextRetryAt: null, announcedFor: null, pendingLines: [] }
  return account.billing.get(id) ?? { id, ...none }
}

/** Notes that a charge failed: the subscription is past due and will be tried again. */
export function beginRetries(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: string,
): Stripe.Subscription {
  const next = account.seconds() + RETRY_AFTER_DAYS[0]! * DAY
  account.billing.put({ ...billingOf(account, subscription), openInvoice: invoice, retries: 0, nextRetryAt: next })
  planRetry(account, invoice, next)
  return change(account, {
    collection: account.subscriptions,
    item: subscription,
    fields: { status: 'past_due' },
    type: 'customer.subscription.updated',
  })
}

export function planRetry(account: Account, invoice: string, at: number): void {
  const open = account.invoices.get(invoice)
  if (!open) return
  change(account, {
    collection: account.invoices,
    item: open,
    fields: { next_payment_attempt: at },
    type: 'invoice.updated',
  })
}

export function keepForNextInvoice(account: Account, subscription: Stripe.Subscription, lines: LineParts[]): void {
  const billing = billingOf(account, subscription)
  const kept = lines.map(({ amount, description, price, start, end }) => ({
    amount,
    description,
    price: price.id,
    start,
    end,
  }))
  account.billing.put({ ...billing, pendingLines: [...billing.pendingLines, ...kept] })
}
