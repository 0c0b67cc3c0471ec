import type { Stripe } from 'stripe'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import { applyCode, redeem } from '../billing/coupons.ts'
import { DECLINED_TEXT } from '../payments/charge-object.ts'
import { requireCustomer } from '../customers.ts'
import { createInvoice, finalizeInvoice, linkPayment, markPaid } from '../billing/invoicing.ts'
import { toId, newCustomer, newPaymentMethod } from '../objects.ts'
import { attachPaymentMethod, isDeclined, readCardNumber } from '../payments/payment-methods.ts'
import { confirmPayment, createPaymentIntent, requirePaymentIntent } from '../payments/payments.ts'
import { customerDetails } from './session-object.ts'
import { setStatus, startSubscription } from '../billing/subscriptions.ts'

export type PaymentOutcome =
  | { outcome: 'paid'; redirectTo: string }
  | { outcome: 'refused'; reason: 'email' | 'card' | 'declined'; message: string }
  | { outcome: 'closed'; status: 'expired' | 'complete'; message: string }

export const CLOSED_TEXTS = {
  expired: 'This checkout has expired. Nothing was charged. Please go back to the site and start again.',
  complete: 'This payment is already complete. Your card was not charged again.',
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Handles the pay button of the hosted page. */
export function payCheckout(
  account: Account,
  session: Stripe.Checkout.Session,
  { email: typed, card }: { email: string | undefined; card: string },
): PaymentOutcome {
  if (session.status !== 'open') {
    const status = session.status === 'expired' ? 'expired' : 'complete'
    return { outcome: 'closed', status, message: CLOSED_TEXTS[status] }
  }
  const known = session.customer ? requireCustomer(account, toId(session.customer)!) : null
  const email = known?.email ?? (typed?.trim() || session.customer_email || '')
  if (!EMAIL.test(email)) {
    return { outcome: 'refused', reason: 'email', message: 'Enter an email address like name@example.org.' }
  }
  const last4 = needsCard(session) ? readCardNumber(card) : '4242'
  if (last4 === null) return { outcome: 'refused', reason: 'card', message: 'Your card number is incorrect.' }
  const method = newPaymentMethod({ last4, email, customer: null, created: account.seconds() })
  account.paymentMethods.put(method)
  const paying = { session, method, email, customer: known }
  const completed = session.mode === 'subscription' ? paySubscription(account, paying) : payOnce(account, paying)
  if (!completed) return { outcome: 'refused', reason: 'declined', message: DECLINED_TEXT }
  const discount = account.drafts.get(session.id)?.discount
  if (discount) redeem(account, discount)
  account.emit('checkout.session.completed', completed)
  return { outcome: 'paid', redirectTo: successUrl(completed) }
}

/** Whether a card is required: also for a subscription that is free at first. */
export function needsCard({ mode, amount_total: total }: Stripe.Checkout.Session): boolean {
  return mode === 'subscription' || (total ?? 0) > 0
}

/** Handles "Apply" on the hosted page; an empty code removes the discount. Returns the error for the code, or null. */
export function enterCode(account: Account, session: Stripe.Checkout.Session, typed: string): string | null {
  if (session.status !== 'open' || !session.allow_promotion_codes) return 'This code is invalid.'
  const draft = account.drafts.get(session.id)!
  const plain = draft.lines.map((line) => ({ ...line, amount_discount: 0, amount_total: line.amount_subtotal }))
  const applied = typed.trim() === '' ? null : applyCode(account, plain, typed)
  if (applied?.verdict === 'refused') return applied.message
  const lines = applied?.lines ?? plain
  const discount = applied?.discount ?? null
  account.drafts.put({ ...draft, lines, discount, paymentIntent: null })
  account.sessions.put({
    ...session,
    amount_total: lines.reduce((sum, line) => sum + line.amount_total, 0),
    discounts: discount ? [{ coupon: discount.coupon, promotion_code: discount.promotionCode }] : [],
    total_details: { amount_discount: discount?.amount ?? 0, amount_shipping: 0, amount_tax: 0 },
  })
  return null
}

export function successUrl(session: Stripe.Checkout.Session): string {
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}

type Paying = {
  session: Stripe.Checkout.Session
  method: Stripe.PaymentMethod
  email: string
  customer: Stripe.Customer | null
}

function payOnce(
  account: Account,
  { session, method, email, customer: known }: Paying,
): Stripe.Checkout.Session | null {
  if (session.amount_total === 0) {
    const customer = !known && session.customer_creation === 'always' ? createCustomer(account, email) : known
    return complete(account, { session, email, customer, fields: {} })
  }
  const declined = isDeclined(method.card?.last4 ?? '', { renewal: false })
  const makesCustomer = !known && session.customer_creation === 'always' && !declined
  const customer = makesCustomer ? createCustomer(account, email) : known
  const draft = account.drafts.get(session.id)!
  const begun = draft.paymentIntent
    ? requirePaymentIntent(account, draft.paymentIntent)
    : beginPayment(account, session)
  const intent = account.paymentIntents.put({ ...begun, customer: customer?.id ?? null })
  if (customer && draft.payment.savesCard) attachPaymentMethod(account, method.id, customer.id)
  const { paid } = confirmPayment(account, { intent, method, renewal: false })
  if (!paid) {
    account.drafts.put({ ...draft, paymentIntent: intent.id })
    account.sessions.put({ ...session, payment_intent: intent.id })
    return null
  }
  const wantsInvoice = session.invoice_creation?.enabled && customer
  const invoice = wantsInvoice ? receiptInvoice(account, { session, customer, intent: intent.id }) : null
  return complete(account, { session, email, customer, fields: { payment_intent: intent.id, invoice } })
}

function paySubscription(
  account: Account,
  { session, method, email, customer: known }: Paying,
): Stripe.Checkout.Session | null {
  const draft = account.drafts.get(session.id)!
  const total = session.amount_total ?? 0
  if (total > 0 && isDeclined(method.card?.last4 ?? '', { renewal: false })) {
    const begun = draft.paymentIntent
      ? requirePaymentIntent(account, draft.paymentIntent)
      : beginPayment(account, session)
    confirmPayment(account, { intent: begun, method, renewal: false })
    account.drafts.put({ ...draft, paymentIntent: begun.id })
    return null
  }
  const customer = known ?? createCustomer(account, email)
  const attached = attachPaymentMethod(account, method.id, customer.id)
  const started = startSubscription(account, {
    customer,
    prices: draft.lines.map(({ price, quantity }) => ({ price: price!, quantity: quantity ?? 1 })),
    metadata: draft.subscription.metadata,
    description: draft.subscription.description,
    method: attached,
    cancelAtPeriodEnd: false,
    collection: { method: 'charge_automatically', daysUntilDue: null },
    declined: 'incomplete',
    charges: true,
    discount: draft.discount ?? null,
  })
  const subscription = setStatus(account, started, 'active')
  return complete(account, {
    session,
    email,
    customer,
    fields: { subscription: subscription.id, invoice: toId(subscription.latest_invoice) },
  })
}

type Completion = {
  session: Stripe.Checkout.Session
  email: string
  customer: Stripe.Customer | null
  fields: Partial<Stripe.Checkout.Session>
}

function complete(account: Account, { session, email, customer, fields }: Completion): Stripe.Checkout.Session {
  return account.sessions.put({
    ...session,
    ...fields,
    customer: customer?.id ?? null,
    customer_details: customerDetails(email, customer),
    payment_status: session.amount_total === 0 ? 'no_payment_required' : 'paid',
    status: 'complete',
    url: null,
  })
}

function createCustomer(account: Account, email: string): Stripe.Customer {
  const customer = newCustomer({ email, created: account.seconds() })
  account.customers.put(customer)
  account.emit('customer.created', customer)
  return customer
}

function beginPayment(account: Account, session: Stripe.Checkout.Session): Stripe.PaymentIntent {
  const { payment } = account.drafts.get(session.id)!
  return createPaymentIntent(account, {
    amount: session.amount_total ?? 0,
    currency: session.currency!,
    customer: toId(session.customer),
    description: payment.description,
    metadata: payment.metadata,
    receiptEmail: payment.receiptEmail,
    savesCard: payment.savesCard,
  })
}

type Receipt = { session: Stripe.Checkout.Session; customer: Stripe.Customer; intent: string }

/** The paid invoice that `invoice_creation` requests, after the payment. */
function receiptInvoice(account: Account, { session, customer, intent }: Receipt): string {
  const now = account.seconds()
  const draft = createInvoice(account, {
    customer: { ...customer, balance: 0 },
    subscription: null,
    currency: session.currency!,
    lines: account.drafts.get(session.id)!.lines.map(({ amount_total: amount, description, price, quantity }) => ({
      amount,
      description: description ?? '',
      price: price!,
      quantity: quantity ?? 1,
      start: now,
      end: now,
      item: null,
      proration: false,
    })),
    reason: 'manual',
    periodStart: now,
    periodEnd: now,
  })
  const described = change(account, {
    collection: account.invoices,
    item: draft,
    fields: { metadata: session.invoice_creation?.invoice_data.metadata ?? {} },
  })
  const invoice = finalizeInvoice(account, described)
  linkPayment(account, invoice, intent)
  return markPaid(account, invoice, invoice.amount_due).id
}
