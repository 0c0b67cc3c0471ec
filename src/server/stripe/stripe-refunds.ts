import type Stripe from 'stripe'
import type { PaymentGateway } from './payment-gateway.ts'
import { withProviderErrors } from './stripe-errors.ts'
import { isSucceededOrPending } from './stripe-mapping.ts'

const PAGE = 100

/** Refunds. One that failed at the bank or was canceled does not count and can be made again. */
export function createStripeRefunds(
  stripe: Stripe,
  readPayment: PaymentGateway['readPayment'],
): Pick<PaymentGateway, 'refund' | 'refundPartially'> {
  async function paymentIntentOf(invoiceId: string): Promise<string | null> {
    const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ['payments'] })
    const intent = invoice.payments?.data[0]?.payment.payment_intent
    return typeof intent === 'string' ? intent : (intent?.id ?? null)
  }

  async function listRefunds(paymentIntent: string): Promise<Stripe.Refund[]> {
    return (await withProviderErrors(stripe.refunds.list({ payment_intent: paymentIntent, limit: PAGE }))).data
  }

  /** The amount that is neither refunded nor being refunded. */
  async function unrefundedAmount(paymentIntent: string, refunds: readonly Stripe.Refund[]): Promise<number> {
    const payment = await readPayment(paymentIntent)
    const inProgress = refunds.filter(isSucceededOrPending).reduce((sum, { amount }) => sum + amount, 0)
    return payment ? payment.amount - Math.max(payment.amountRefunded, inProgress) : 0
  }

  return {
    async refund(paymentReference, idempotencyKey) {
      const paymentIntent = paymentReference.startsWith('in_')
        ? await withProviderErrors(paymentIntentOf(paymentReference))
        : paymentReference
      if (!paymentIntent) return
      const refunds = await listRefunds(paymentIntent)
      const amount = await unrefundedAmount(paymentIntent, refunds)
      if (amount <= 0) return
      // After a lost response the refund is either listed or retried with the same key, so it is made once.
      const key = `${idempotencyKey}:${refunds.length}:${amount}`
      await withProviderErrors(
        stripe.refunds.create({ payment_intent: paymentIntent, amount }, { idempotencyKey: key }),
      )
    },

    async refundPartially({ paymentIntentId, refundId, amount: wanted }) {
      // Stripe forgets idempotency keys after a day, but an outbox effect may be retried for longer. The refund's metadata persists.
      const refunds = await listRefunds(paymentIntentId)
      const existing = refunds.filter(({ metadata }) => metadata?.['refund_id'] === refundId)
      if (existing.some(isSucceededOrPending)) return
      const amount = Math.min(wanted, await unrefundedAmount(paymentIntentId, refunds))
      if (amount <= 0) return
      const attempt = existing.length === 0 ? '' : `:${existing.length}`
      await withProviderErrors(
        stripe.refunds.create(
          { payment_intent: paymentIntentId, amount, metadata: { refund_id: refundId } },
          { idempotencyKey: `rsvp-refund:${refundId}${attempt}` },
        ),
      )
    },
  }
}
