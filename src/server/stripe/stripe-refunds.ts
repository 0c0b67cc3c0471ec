import type Stripe from 'stripe'
import type { PaymentGateway } from './payment-gateway.ts'
import { translate } from './stripe-errors.ts'
import { isMadeOrOnItsWay } from './stripe-facts.ts'

const MOST_LISTED = 100

/** Money that goes back. What failed at the bank, or was called back, counts for nothing: it can be made again. */
export function createStripeRefunds(
  stripe: Stripe,
  readPayment: PaymentGateway['readPayment'],
): Pick<PaymentGateway, 'refund' | 'refundPart'> {
  async function paymentIntentOf(invoiceId: string): Promise<string | null> {
    const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ['payments'] })
    const intent = invoice.payments?.data[0]?.payment.payment_intent
    return typeof intent === 'string' ? intent : (intent?.id ?? null)
  }

  async function listRefunds(paymentIntent: string): Promise<Stripe.Refund[]> {
    return (await translate(stripe.refunds.list({ payment_intent: paymentIntent, limit: MOST_LISTED }))).data
  }

  /** What is neither back nor on its way back. */
  async function leftOf(paymentIntent: string, refunds: readonly Stripe.Refund[]): Promise<number> {
    const payment = await readPayment(paymentIntent)
    const going = refunds.filter(isMadeOrOnItsWay).reduce((sum, { amount }) => sum + amount, 0)
    return payment ? payment.amount - Math.max(payment.amountRefunded, going) : 0
  }

  return {
    async refund(paymentReference, idempotencyKey) {
      const paymentIntent = paymentReference.startsWith('in_')
        ? await translate(paymentIntentOf(paymentReference))
        : paymentReference
      if (!paymentIntent) return
      const refunds = await listRefunds(paymentIntent)
      const amount = await leftOf(paymentIntent, refunds)
      if (amount <= 0) return
      // After a lost answer either the refund is listed, or the same key is used again: it is made once.
      const key = `${idempotencyKey}:${refunds.length}:${amount}`
      await translate(stripe.refunds.create({ payment_intent: paymentIntent, amount }, { idempotencyKey: key }))
    },

    async refundPart({ paymentIntentId, refundId, amount: wanted }) {
      // Keys are forgotten after a day, and an effect may be tried for longer: the mark on the refund is not.
      const refunds = await listRefunds(paymentIntentId)
      const mine = refunds.filter(({ metadata }) => metadata?.['refund_id'] === refundId)
      if (mine.some(isMadeOrOnItsWay)) return
      const amount = Math.min(wanted, await leftOf(paymentIntentId, refunds))
      if (amount <= 0) return
      const attempt = mine.length === 0 ? '' : `:${mine.length}`
      await translate(
        stripe.refunds.create(
          { payment_intent: paymentIntentId, amount, metadata: { refund_id: refundId } },
          { idempotencyKey: `rsvp-refund:${refundId}${attempt}` },
        ),
      )
    },
  }
}
