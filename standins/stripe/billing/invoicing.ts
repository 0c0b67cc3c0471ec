import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account } from '../account.ts'
import { change, findSubscriptionId } from '../account.ts'
import { requireCustomer } from '../customers.ts'
import type { InvoiceParts, LineParts } from './invoice-object.ts'
import { draftInvoice } from './invoice-object.ts'
import { toId } from '../objects.ts'
import { confirmPayment, createPaymentIntent, requirePaymentIntent } from '../payments/payments.ts'
import { productName } from './products.ts'

/** Creates a draft and emits its event; `finalizeInvoice` finalizes it. */
export function createInvoice(account: Account, parts: InvoiceParts): Stripe.Invoice {
  const invoice = account.invoices.put(draftInvoice(account, newId('in_1'), parts))
  account.emit('invoice.created', invoice)
  return invoice
}

export function finalizeInvoice(account: Account, invoice: Stripe.Invoice): Stripe.Invoice {
  const customer = requireCustomer(account, toId(invoice.customer)!)
  const sequence = customer.next_invoice_sequence ?? 1
  const balance = customer.balance + invoice.total - invoice.amount_due
  account.customers.put({ ...customer, next_invoice_sequence: sequence + 1, balance })
  const now = account.seconds()
  const finalized = account.invoices.put({
    ...invoice,
    status: 'open',
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
    effective_at: now,
    ending_balance: balance,
    hosted_invoice_url: `${account.publicUrl}/invoices/${invoice.id}`,
    invoice_pdf: `${account.publicUrl}/invoices/${invoice.id}`,
    status_transitions: { ...invoice.status_transitions, finalized_at: now },
  })
  account.emit('invoice.finalized', finalized)
  return finalized
}

type Attempt = { invoice: Stripe.Invoice; method: Stripe.PaymentMethod | null; renewal: boolean; savesCard?: boolean }

/** Charges the amount due, or marks the invoice paid when nothing is due; a failure leaves it open. */
export function payInvoice(
  account: Account,
  { invoice, method, renewal, savesCard = false }: Attempt,
): { invoice: Stripe.Invoice; paid: boolean; intent: Stripe.PaymentIntent | null } {
  if (invoice.amount_due === 0) return { invoice: markPaid(account, invoice, 0), paid: true, intent: null }
  const intent = intentOfInvoice(account, invoice, savesCard)
  const tried = { attempt_count: invoice.attempt_count + 1, attempted: true }
  if (!method) {
    const failed = account.invoices.put({ ...invoice, ...tried })
    account.emit('invoice.payment_failed', failed)
    return { invoice: failed, paid: false, intent }
  }
  const { intent: confirmed, paid } = confirmPayment(account, { intent, method, renewal })
  if (paid) return { invoice: markPaid(account, { ...invoice, ...tried }, invoice.amount_due), paid, intent: confirmed }
  const failed = account.invoices.put({ ...invoice, ...tried })
  account.emit('invoice.payment_failed', failed)
  return { invoice: failed, paid, intent: confirmed }
}

/** The line of one price for one period, described like Stripe's. */
export function periodLine(
  account: Account,
  { price, quantity, start, end, item }: Omit<LineParts, 'amount' | 'description' | 'proration'>,
): LineParts {
  const { interval, interval_count: count } = price.recurring!
  const per = count === 1 ? interval : `every ${count} ${interval}s`
  const each = `$${((price.unit_amount ?? 0) / 100).toFixed(2)}`
  return {
    amount: (price.unit_amount ?? 0) * quantity,
    description: `${quantity} × ${productName(account, price)} (at ${each} / ${per})`,
    price,
    quantity,
    start,
    end,
    item,
    proration: false,
  }
}

/** Marks an open invoice as paid, by any means. */
export function markPaid(account: Account, invoice: Stripe.Invoice, amount: number): Stripe.Invoice {
  const now = account.seconds()
  const paid = account.invoices.put({
    ...invoice,
    status: 'paid',
    amount_paid: amount,
    amount_remaining: 0,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: now },
  })
  const payment = account.invoicePayments.by('invoice', invoice.id)[0]
  if (payment) {
    const paidPayment = account.invoicePayments.put({
      ...payment,
      amount_paid: amount,
      status: 'paid',
      status_transitions: { ...payment.status_transitions, paid_at: now },
    })
    account.emit('invoice_payment.paid', paidPayment)
  }
  account.emit('invoice.updated', paid, { status: 'open', amount_paid: 0 })
  account.emit('invoice.paid', paid)
  account.emit('invoice.payment_succeeded', paid)
  return paid
}

function intentOfInvoice(account: Account, invoice: Stripe.Invoice, savesCard: boolean): Stripe.PaymentIntent {
  const known = account.invoicePayments.by('invoice', invoice.id)[0]
  if (known) return requirePaymentIntent(account, toId(known.payment.payment_intent)!)
  const intent = createPaymentIntent(account, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: toId(invoice.customer),
    description: findSubscriptionId(invoice) ? descriptionFor(invoice) : null,
    metadata: {},
    receiptEmail: null,
    savesCard,
  })
  linkPayment(account, invoice, intent.id)
  return intent
}

export function linkPayment(account: Account, invoice: Stripe.Invoice, intent: string): void {
  account.invoicePayments.put({
    id: newId('inpay_1'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: account.seconds(),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  })
}

function descriptionFor(invoice: Stripe.Invoice): string {
  return invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update'
}

/** Marks an open invoice as uncollectable or void. */
export function closeInvoice(
  account: Account,
  invoice: Stripe.Invoice,
  status: 'void' | 'uncollectible',
): Stripe.Invoice {
  const now = account.seconds()
  const transition = status === 'void' ? { voided_at: now } : { marked_uncollectible_at: now }
  return change(account, {
    collection: account.invoices,
    item: invoice,
    fields: {
      status,
      auto_advance: false,
      next_payment_attempt: null,
      status_transitions: { ...invoice.status_transitions, ...transition },
    },
    type: status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible',
  })
}
