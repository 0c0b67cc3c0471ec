import { setImmediate as breathe } from 'node:timers/promises'
import type { Stripe } from 'stripe'
import type { Account } from '../account.ts'
import { change, findSubscriptionId } from '../account.ts'
import { expireSession } from '../checkout/checkout-sessions.ts'
import { payInvoice } from './invoicing.ts'
import { renewalLines, upcomingInvoice } from './invoices.ts'
import { endOfPeriod } from './periods.ts'
import { RETRY_AFTER_DAYS, beginRetries, getBilling, planRetry } from './retries.ts'
import { endSubscription, invoiceNow, isLive, paymentMethodFor, setStatus } from './subscriptions.ts'

const DAY = 86_400
const HOUR = 3600
const INCOMPLETE_FOR = 23 * HOUR
const ANNOUNCED_BEFORE = 7 * DAY
const BREATHE_EVERY = 25

type Due = { at: number; act: () => void }

/** Advances sessions and subscriptions to the clock: each step happens at its own time, in order for each of them. */
export async function catchUp(account: Account): Promise<void> {
  const now = account.seconds()
  for (const session of account.sessions.by('status', 'open')) {
    if (session.expires_at <= now) account.at(session.expires_at, () => expireSession(account, session))
  }
  for (let due = dueSteps(account, now); due.length > 0; due = dueSteps(account, now)) {
    due.sort((a, b) => a.at - b.at)
    for (const [index, { at, act }] of due.entries()) {
      account.at(at, act)
      if (index % BREATHE_EVERY === BREATHE_EVERY - 1) await breathe()
    }
  }
}

/** Pays an open invoice outside the retry schedule: with a new card in the portal, or by the API. */
export function payOpenInvoice(account: Account, invoice: Stripe.Invoice, card: Stripe.PaymentMethod | null) {
  const id = findSubscriptionId(invoice)
  const subscription = id ? account.subscriptions.get(id) : undefined
  const method = card ?? (subscription ? paymentMethodFor(account, subscription) : null)
  const renewal = invoice.billing_reason === 'subscription_cycle'
  const result = payInvoice(account, { invoice, method, renewal })
  if (result.paid && subscription && isLive(subscription)) recovered(account, subscription)
  return result
}

function dueSteps(account: Account, now: number): Due[] {
  const due: Due[] = []
  for (const status of ['active', 'past_due', 'incomplete']) {
    for (const subscription of account.subscriptions.by('status', status)) {
      const step = nextStep(account, subscription)
      if (step && step.at <= now) due.push(step)
    }
  }
  return due
}

/** The next automatic step of this subscription. */
function nextStep(account: Account, subscription: Stripe.Subscription): Due | null {
  const again = (work: (current: Stripe.Subscription) => void) => () => {
    const current = account.subscriptions.get(subscription.id)
    if (current && isLive(current)) work(current)
  }
  if (subscription.status === 'incomplete') {
    const act = again((current) =>
      endSubscription(account, current, { reason: 'payment_failed', status: 'incomplete_expired' }),
    )
    return { at: subscription.created + INCOMPLETE_FOR, act }
  }
  const billing = getBilling(account, subscription)
  const end = subscription.items.data[0]!.current_period_end
  const steps: Due[] = []
  if (subscription.cancel_at !== null && subscription.cancel_at <= end) {
    const act = again((current) => endSubscription(account, current, { reason: 'cancellation_requested' }))
    steps.push({ at: subscription.cancel_at, act })
  } else {
    steps.push({ at: end, act: again((current) => renew(account, current)) })
    if (billing.announcedFor !== end && end - subscription.items.data[0]!.current_period_start > ANNOUNCED_BEFORE) {
      steps.push({ at: end - ANNOUNCED_BEFORE, act: again((current) => announce(account, current)) })
    }
  }
  if (billing.nextRetryAt !== null) {
    steps.push({ at: billing.nextRetryAt, act: again((current) => retry(account, current)) })
  }
  return steps.reduce((first, step) => (step.at < first.at ? step : first))
}

function announce(account: Account, subscription: Stripe.Subscription): void {
  const end = subscription.items.data[0]!.current_period_end
  account.billing.put({ ...getBilling(account, subscription), announcedFor: end })
  const { id: _unnamed, ...invoice } = upcomingInvoice(account, subscription, {})
  account.emit('invoice.upcoming', invoice)
}

function renew(account: Account, subscription: Stripe.Subscription): void {
  const lines = renewalLines(account, subscription)
  const items = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: endOfPeriod(subscription.billing_cycle_anchor, item.current_period_end, item.price.recurring!),
  }))
  const moved = change(account, {
    collection: account.subscriptions,
    item: subscription,
    fields: { items: { ...subscription.items, data: items } },
    type: 'customer.subscription.updated',
  })
  account.billing.put({ ...getBilling(account, moved), pendingLines: [] })
  const result = invoiceNow(account, moved, { lines, reason: 'subscription_cycle' })
  if (result.outcome === 'failed' && getBilling(account, moved).openInvoice === null) {
    beginRetries(account, result.subscription, result.invoice)
  }
}

function retry(account: Account, subscription: Stripe.Subscription): void {
  const billing = getBilling(account, subscription)
  const invoice = billing.openInvoice ? account.invoices.get(billing.openInvoice) : undefined
  if (!invoice || invoice.status !== 'open') return recovered(account, subscription)
  const { paid } = payInvoice(account, { invoice, method: paymentMethodFor(account, subscription), renewal: true })
  if (paid) return recovered(account, subscription)
  const retries = billing.retries + 1
  const wait = RETRY_AFTER_DAYS[retries]
  if (wait === undefined) {
    endSubscription(account, subscription, { reason: 'payment_failed' })
    return
  }
  const next = account.seconds() + wait * DAY
  account.billing.put({ ...billing, retries, nextRetryAt: next })
  planRetry(account, invoice.id, next)
}

function recovered(account: Account, subscription: Stripe.Subscription): void {
  account.billing.put({ ...getBilling(account, subscription), openInvoice: null, retries: 0, nextRetryAt: null })
  setStatus(account, subscription, 'active')
}
