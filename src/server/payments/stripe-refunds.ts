import type Stripe from 'stripe'
import type { PaymentGateway } from './payment-gateway.ts'
import { translate } from './stripe-errors.ts'

/** Money that goes back. */
export function createStripeRefunds(
  stripe: Stripe,
  readPayment: PaymentGateway['readPayment'],
): Pick<PaymentGateway, 'refund' | 'refundPart'> {
  async function paymentIntentOf(invoiceId: string): Promise<string | null> {
    const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ['payments'] })
    const intent = invoice.payments?.data[0]?.payment.payment_intent
    return typeof intent === 'string' ? intent : (intent?.id ?? null)
  }

  return {
    async refund(paymentReference, idempotencyKey) {
      const paymentIntent = paymentReference.startsWith('in_')
        ? await translate(paymentIntentOf(paymentReference))
        : paymentReference
      if (!paymentIntent) return
      const { data } = await translate(stripe.refunds.list({ payment_intent: paymentIntent, limit: 1 }))
      if (data.length === 0)
        await translate(stripe.refunds.create({ payment_intent: paymentIntent }, { idempotencyKey }))
    },

    async refundPart({ paymentIntentId, refundId, amount }) {
      // Keys are forgotten after a day, and an effect may be tried for longer: the mark on the refund is not.
      const { data } = await translate(stripe.refunds.list({ payment_intent: paymentIntentId, limit: 100 }))
      if (data.some(({ metadata }) => metadata?.['refund_id'] === refundId)) return
      const payment = await readPayment(paymentIntentId)
      const left = payment ? payment.amount - payment.amountRefunded : 0
      if (left <= 0) return
      await translate(
        stripe.refunds.create(
          { payment_intent: paymentIntentId, amount: Math.min(amount, left), metadata: { refund_id: refundId } },
          { idempotencyKey: `rsvp-refund:${refundId}` },
        ),
      )
    },
  }
}
