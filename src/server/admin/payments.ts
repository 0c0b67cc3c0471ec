import { formatMoney } from '#contract/money.ts'
import { findAccount } from '../features/account/account.repository.ts'
import { listPaymentsBetween } from '../features/membership/payment.repository.ts'
import type { Tools } from './tools.ts'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/** `payments [YYYY-MM]`: dues received in a month (UTC), by default the running one, with what went back. */
export async function payments([month]: readonly string[], { database: { db }, clock, say }: Tools): Promise<number> {
  const wanted = month ?? new Date(clock.now()).toISOString().slice(0, 7)
  if (!MONTH.test(wanted)) {
    say('Say "payments" or "payments YYYY-MM".')
    return 2
  }
  const from = Date.parse(`${wanted}-01T00:00:00Z`)
  const until = new Date(from)
  until.setUTCMonth(until.getUTCMonth() + 1)
  const found = await listPaymentsBetween(db, from, until.getTime())
  const totals = new Map<string, number>()
  for (const payment of found) {
    const { paidAt, receiptNumber, purpose, levelKey, amount, amountRefunded, currency, dispute } = payment
    const account = await findAccount(db, payment.accountId)
    const returned = amountRefunded > 0 ? `  returned ${formatMoney(amountRefunded, currency)}` : ''
    const disputed = dispute ? `  dispute ${dispute}` : ''
    say(
      `${new Date(paidAt).toISOString()}  ${receiptNumber}  ${purpose}  ${levelKey}  ${formatMoney(amount, currency)}${returned}${disputed}  ${account?.email ?? 'an account that is gone'}`,
    )
    const kept = dispute === 'lost' ? 0 : amount - amountRefunded
    totals.set(currency, (totals.get(currency) ?? 0) + kept)
  }
  const sums = [...totals].map(([currency, total]) => formatMoney(total, currency)).join(', ')
  say(found.length === 0 ? `Nothing was paid in ${wanted}.` : `${found.length} payments in ${wanted}, ${sums} kept.`)
  return 0
}
