import type { Stripe } from 'stripe'
import type { Account } from '../account.ts'
import { endpoint } from '../endpoint.ts'
import { noSuch } from '../errors.ts'
import { CREATED_LIST_PARAMS, isWithin, listPage } from '../lists.ts'
import { listOf, oneOf, range, text } from '../params.ts'
import { transactionsSince } from './balance-transactions.ts'

const DAY = 86_400
/** Stripe's usual schedule in the United States: payments are paid out after two days and arrive the day after. */
const AVAILABLE_AFTER = 2 * DAY
const TRANSFER = DAY

/** Automatic payouts, one for each day on which funds became available; creates new ones first. */
function payoutsOf(account: Account): Stripe.Payout[] {
  const known = account.payouts.all()
  const from = known.length === 0 ? 0 : Math.max(...known.map(({ created }) => created)) - AVAILABLE_AFTER + DAY
  const byDay = new Map<number, number>()
  for (const { created, net } of transactionsSince(account, from)) {
    const day = created - (created % DAY)
    byDay.set(day, (byDay.get(day) ?? 0) + net)
  }
  for (const [day, amount] of [...byDay].sort(([a], [b]) => a - b)) {
    const created = day + AVAILABLE_AFTER
    if (created <= account.seconds() && amount !== 0) account.payouts.put(newPayout(created, amount))
  }
  return account.payouts.all().map((payout) => withStatus(account, payout))
}

/** The time span of a payout's transactions in seconds, end exclusive. */
export function getPayoutSpan({ created }: Stripe.Payout): { from: number; to: number } {
  return { from: created - AVAILABLE_AFTER, to: created - AVAILABLE_AFTER + DAY }
}

function withStatus(account: Account, payout: Stripe.Payout): Stripe.Payout {
  return { ...payout, status: payout.arrival_date <= account.seconds() ? 'paid' : 'in_transit' }
}

function newPayout(created: number, amount: number): Stripe.Payout {
  // One per day: the same journal always gives the same name.
  const name = created.toString(36).toUpperCase()
  return {
    id: `po_1Standin${name}`,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: created + TRANSFER,
    automatic: true,
    balance_transaction: `txn_1Payout${name}`,
    created,
    currency: 'usd',
    description: 'STRIPE PAYOUT',
    destination: 'ba_1StandinBankAccount',
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: { status: 'pending', value: null },
    type: 'bank_account',
  }
}

export const payoutEndpoints = [
  endpoint('GET', '/v1/payouts/:id', { expand: listOf(text) }, (account, _values, { id }) =>
    requirePayout(account, id),
  ),

  endpoint(
    'GET',
    '/v1/payouts',
    {
      ...CREATED_LIST_PARAMS,
      arrival_date: range,
      status: oneOf('paid', 'pending', 'in_transit', 'canceled', 'failed'),
    },
    (account, { created, arrival_date: arrival, status, ...paging }) => {
      const statuses = new Map(payoutsOf(account).map((payout) => [payout.id, payout.status]))
      const page = listPage({
        collection: account.payouts,
        what: 'payout',
        url: '/v1/payouts',
        paging,
        where: (payout) =>
          isWithin(payout.created, created) &&
          isWithin(payout.arrival_date, arrival) &&
          (status === undefined || statuses.get(payout.id) === status),
      })
      return { ...page, data: page.data.map((payout) => withStatus(account, payout)) }
    },
  ),
]

export function requirePayout(account: Account, id: string): Stripe.Payout {
  const payout = payoutsOf(account).find((one) => one.id === id)
  if (!payout) throw noSuch('payout', id)
  return payout
}
