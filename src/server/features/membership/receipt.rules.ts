import { formatLongDate } from '#contract/dates.ts'
import type { MembershipLevel } from '#contract/membership.ts'
import { formatMoney, pricePeriod } from '#contract/money.ts'
import { handWords } from './by-hand.rules.ts'
import { isWhollyReturned } from './payment-return.rules.ts'
import type { PaymentRecord } from './payment.repository.ts'

const PURPOSES: Record<PaymentRecord['purpose'], string> = {
  start: 'Dues',
  renewal: 'Renewal of dues',
  change: 'Change of level',
}

/** What a receipt says, in the letter and on paper alike. @param credit taken off the price, minor units */
export function receiptFacts(
  payment: Pick<
    PaymentRecord,
    | 'receiptNumber'
    | 'purpose'
    | 'paidAt'
    | 'amount'
    | 'currency'
    | 'amountRefunded'
    | 'dispute'
    | 'periodEndsAt'
    | 'reference'
    | 'discount'
  >,
  { name, level, credit, timeZone }: { name: string; level: MembershipLevel; credit: number; timeZone: string },
): [label: string, value: string][] {
  const { receiptNumber, purpose, paidAt, amount, currency, amountRefunded, periodEndsAt, discount } = payment
  const money = (minorUnits: number) => formatMoney(minorUnits, currency)
  const returned = payment.dispute === 'lost' ? amount : amountRefunded
  const byHand = handWords(payment.reference)
  const period = purpose === 'change' ? '' : `, ${pricePeriod(level)}`
  return [
    ['Receipt', receiptNumber],
    ['Received from', name],
    ['For', `${PURPOSES[purpose]}: ${level.name}${period}`],
    // What went back whole paid for nothing.
    ...(periodEndsAt === null || isWhollyReturned(payment)
      ? []
      : ([['Paid until', formatLongDate(periodEndsAt, timeZone)]] satisfies [string, string][])),
    ['Paid on', formatLongDate(paidAt, timeZone)],
    ...(byHand === null ? [] : ([['Paid by', byHand]] satisfies [string, string][])),
    ...(credit === 0 && discount === null
      ? []
      : ([['Price', money(amount + credit + (discount?.amount ?? 0))]] satisfies [string, string][])),
    ...(credit === 0
      ? []
      : ([['Credit for the membership it replaces', `-${money(credit)}`]] satisfies [string, string][])),
    ...(discount === null
      ? []
      : ([[`Code ${discount.code}`, `-${money(discount.amount)}`]] satisfies [string, string][])),
    ['Amount', `${money(amount)} ${currency.toUpperCase()}`],
    ...(returned === 0 ? [] : ([['Returned', money(returned)]] satisfies [string, string][])),
  ]
}
