import { createPayoutTransaction, transactionsSince } from './balance-transactions.ts'
import { endpoint } from '../endpoint.ts'
import { CREATED_LIST_PARAMS, isWithin, listOfItems } from '../lists.ts'
import { text } from '../params.ts'
import { requirePayout, getPayoutSpan } from './payouts.ts'

export const balanceTransactionEndpoints = [
  endpoint(
    'GET',
    '/v1/balance_transactions',
    { ...CREATED_LIST_PARAMS, payout: text, type: text },
    (account, { created, payout: payoutId, type, ...paging }) => {
      const payout = payoutId === undefined ? null : requirePayout(account, payoutId)
      const span = payout && getPayoutSpan(payout)
      const moved = transactionsSince(account, span?.from ?? 0).filter((one) => !span || one.created < span.to)
      const items = payout ? [...moved, createPayoutTransaction(payout)] : moved
      return listOfItems({
        items: items.filter((one) => isWithin(one.created, created) && (type === undefined || one.type === type)),
        what: 'balance_transaction',
        url: '/v1/balance_transactions',
        paging,
      })
    },
  ),
]
