import type { Stripe } from 'stripe'
import type { Account, BillingState } from '../account.ts'
import { change } from '../account.ts'
import type { LineParts } from './invoice-object.ts'

const DAY = 86_400
/** Days after the previous failure: the account's retry schedule, after which Stripe gives up. */
export const RETRY_AFTER_DAYS = [3, 5, 7]

export function getBilling(account: Account, { id }: Stripe.Subscription): BillingState {
  const none = { openInvoice: null, retries: 0, nextRetryAt: null, announcedFor: null, pendingLines: [] }
  return account.billing.get(id) ?? { id, ...none }
}

/** Records a failed charge: the subscription is past due and will be retried. */
export function beginRetries(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: string,
): Stripe.Subscription {
  const next = account.seconds() + RETRY_AFTER_DAYS[0]! * DAY
  account.billing.put({ ...getBilling(account, subscription), openInvoice: invoice, retries: 0, nextRetryAt: next })
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

export function addPendingLines(account: Account, subscription: Stripe.Subscription, lines: LineParts[]): void {
  const billing = getBilling(account, subscription)
  const kept = lines.map(({ amount, description, price, start, end }) => ({
    amount,
    description,
    price: price.id,
    start,
    end,
  }))
  account.billing.put({ ...billing, pendingLines: [...billing.pendingLines, ...kept] })
}
