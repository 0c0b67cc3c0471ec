import type Stripe from 'stripe'
import type { PaymentGateway, PayoutSnapshot, PayoutLine } from './payment-gateway.ts'
import { withProviderErrors, nullIfMissing } from './stripe-errors.ts'
import { idOf } from './stripe-mapping.ts'

const PAGE = 100
const KINDS: Partial<Record<Stripe.BalanceTransaction.Type, PayoutLine['kind']>> = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
}

/** Payouts to the bank account. */
export function createStripePayouts(
  stripe: Stripe,
): Pick<PaymentGateway, 'listPayouts' | 'readPayout' | 'listBalanceLines'> {
  async function listPayouts({ from, to }: { from: string; to: string }): Promise<PayoutSnapshot[]> {
    const found: PayoutSnapshot[] = []
    const arrival = { gte: secondsOf(from), lt: secondsOf(to) }
    for await (const payout of stripe.payouts.list({ arrival_date: arrival, limit: PAGE }))
      found.push(toPayoutSnapshot(payout))
    return found.reverse()
  }

  async function listLines(which: Stripe.BalanceTransactionListParams): Promise<PayoutLine[]> {
    const lines: PayoutLine[] = []
    for await (const one of stripe.balanceTransactions.list({ ...which, expand: ['data.source'], limit: PAGE })) {
      // The payout's own line only moves the total out of the balance.
      if (one.type !== 'payout') lines.push(toLine(one))
    }
    return lines.reverse()
  }

  return {
    listPayouts: (span) => withProviderErrors(listPayouts(span)),
    async readPayout(payoutId) {
      const payout = await nullIfMissing(stripe.payouts.retrieve(payoutId))
      return (
        payout && { payout: toPayoutSnapshot(payout), lines: await withProviderErrors(listLines({ payout: payoutId })) }
      )
    },
    listBalanceLines: ({ from, to }) =>
      withProviderErrors(listLines({ created: { gte: Math.floor(from / 1_000), lt: Math.floor(to / 1_000) } })),
  }
}

function toPayoutSnapshot({ id, amount, currency, arrival_date: arrival, status }: Stripe.Payout): PayoutSnapshot {
  const hasFailed = status === 'failed' || status === 'canceled'
  return {
    id,
    amount,
    currency,
    arrivesOn: new Date(arrival * 1_000).toISOString().slice(0, 10),
    state: hasFailed ? 'failed' : status === 'paid' ? 'arrived' : 'on-its-way',
  }
}

function toLine({ type, amount, fee, net, created, source, description }: Stripe.BalanceTransaction): PayoutLine {
  const sourceObject = typeof source === 'object' && source !== null ? source : null
  return {
    kind: sourceObject?.object === 'dispute' ? 'dispute' : (KINDS[type] ?? 'other'),
    amount,
    fee,
    net,
    at: created * 1_000,
    paymentIntentId: sourceObject && 'payment_intent' in sourceObject ? idOf(sourceObject.payment_intent) : null,
    description: description ?? type.replaceAll('_', ' '),
  }
}

/** Stripe's arrival dates are midnights in UTC. */
function secondsOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1_000
}
