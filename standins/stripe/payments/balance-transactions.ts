import type { Stripe } from 'stripe'
import type { Account } from '../account.ts'
import { toId } from '../objects.ts'

/** Card fees in the United States: 2.9% and 30 cents; 15 dollars for a lost or open dispute. */
const RATE = 0.029
const FIXED = 30
const DISPUTE_FEE = 1_500

/** Lists money movements since a timestamp, oldest first: charges, refunds and disputes, but not payouts. */
export function transactionsSince(account: Account, from: number): Stripe.BalanceTransaction[] {
  return [
    ...account.charges
      .all()
      .filter(({ paid, created }) => paid && created >= from)
      .map(ofCharge),
    ...account.refunds
      .all()
      .filter(({ created }) => created >= from)
      .map(ofRefund),
    ...account.disputes
      .all()
      .filter(({ created }) => created >= from)
      .map(ofDispute),
  ].sort((a, b) => a.created - b.created)
}

function ofCharge(charge: Stripe.Charge): Stripe.BalanceTransaction {
  const fee = Math.round(charge.amount * RATE) + FIXED
  return transaction({
    id: toId(charge.balance_transaction) ?? `txn_${charge.id}`,
    source: charge,
    amount: charge.amount,
    fee,
    type: 'charge',
    description: charge.description,
  })
}

function ofRefund(refund: Stripe.Refund): Stripe.BalanceTransaction {
  return transaction({
    id: toId(refund.balance_transaction) ?? `txn_${refund.id}`,
    source: refund,
    amount: -refund.amount,
    fee: 0,
    type: 'refund',
    description: `REFUND FOR CHARGE (${toId(refund.charge) ?? ''})`,
  })
}

function ofDispute(dispute: Stripe.Dispute): Stripe.BalanceTransaction {
  return transaction({
    id: `txn_${dispute.id}`,
    source: dispute,
    amount: -dispute.amount,
    fee: DISPUTE_FEE,
    type: 'adjustment',
    description: `Chargeback withdrawal for ${toId(dispute.charge) ?? ''}`,
  })
}

/** The payout's own transaction, which its list of transactions includes. */
export function createPayoutTransaction(payout: Stripe.Payout): Stripe.BalanceTransaction {
  return transaction({
    id: toId(payout.balance_transaction) ?? `txn_${payout.id}`,
    source: payout,
    amount: -payout.amount,
    fee: 0,
    type: 'payout',
    description: payout.description,
  })
}

type Source = { id: string; created: number; currency: string }

function transaction({
  id,
  source,
  amount,
  fee,
  type,
  description,
}: {
  id: string
  source: Source
  amount: number
  fee: number
  type: 'charge' | 'refund' | 'adjustment' | 'payout'
  description: string | null
}): Stripe.BalanceTransaction {
  return {
    id,
    object: 'balance_transaction',
    amount,
    available_on: source.created,
    balance_type: 'payments',
    created: source.created,
    currency: source.currency,
    description,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: source.currency,
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: type === 'adjustment' ? 'dispute' : type,
    source: source.id,
    status: 'available',
    type,
  }
}
