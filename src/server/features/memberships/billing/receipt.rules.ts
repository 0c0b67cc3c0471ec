import { formatLongDate } from '#contract/dates.ts'
import type { MembershipLevel } from '#contract/membership.ts'
import { formatMoney, pricePeriod } from '#contract/money.ts'
import { handWords } from './by-hand.rules.ts'
import { isWhollyReturned, returnedOf } from './payment-return.rules.ts'
import type { PaymentRecord } from './payment.repository.ts'

const PURPOSES: Record<PaymentRecord['purpose'], string> = {
  start: 'Dues',
  renewal: 'Renewal of dues',
  change: 'Change of level',
}

interface ReceiptWords {
  name: string
  level: MembershipLevel
  /** Taken off the price, minor units. */
  credit: number
  /** What of it lowered the price of another membership, with that one's receipt. */
  credited?: readonly { amount: number; to: string }[]
  /** The canceled receipt that this one corrects. */
  replaces?: string | null
  /** The receipt that corrects this one, which was canceled. */
  replacedBy?: string | null
  timeZone: string
}

/** What a receipt says, in the letter and on paper alike. */
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
    | 'voidedAt'
  >,
  { name, level, credit, credited = [], replaces = null, replacedBy = null, timeZone }: ReceiptWords,
): [label: string, value: string][] {
  const { receiptNumber, purpose, paidAt, amount, currency, periodEndsAt, discount } = payment
  const money = (minorUnits: number) => formatMoney(minorUnits, currency)
  // A canceled record says so; no money was returned by that.
  const returned = payment.voidedAt === null ? returnedOf(payment) : 0
  const byHand = handWords(payment.reference)
  const period = purpose === 'change' ? '' : `, ${pricePeriod(level)}`
  return [
    ['Receipt', receiptNumber],
    ...(payment.voidedAt === null
      ? []
      : ([
          [
            'Canceled',
            `${formatLongDate(payment.voidedAt, timeZone)}${replacedBy === null ? '' : `, replaced by ${replacedBy}`}`,
          ],
        ] satisfies [string, string][])),
    ...(replaces === null ? [] : ([['Replaces', `${replaces}, which is canceled`]] satisfies [string, string][])),
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
    ...credited.map(({ amount: part, to }): [string, string] => [`Credited to ${to}`, money(part)]),
    ...(returned === 0 ? [] : ([['Returned', money(returned)]] satisfies [string, string][])),
  ]
}
