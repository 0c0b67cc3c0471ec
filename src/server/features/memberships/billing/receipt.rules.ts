import { formatLongDate } from '#contract/dates/dates.ts'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { formatMoney, pricePeriod } from '#contract/money.ts'
import { describeManualPayment } from '#server/features/orders/payments/manual-payment.rules.ts'
import { isFullyRefunded, refundedAmount } from '#server/features/orders/payments/refunded-amount.rules.ts'
import type { PaymentRecord } from '../payments/payment.queries.ts'

const PURPOSES: Record<PaymentRecord['purpose'], string> = {
  start: 'Dues',
  renewal: 'Renewal of dues',
  change: 'Change of level',
}

interface ReceiptContext {
  name: string
  level: MembershipLevel
  /** Deducted from the price, in minor units. */
  credit: number
  /** Amounts credited toward other memberships, with their receipts. */
  credited?: readonly { amount: number; to: string }[]
  /** The canceled receipt that this one replaces. */
  replaces?: string | null
  /** The receipt that replaces this one. */
  replacedBy?: string | null
  timeZone: string
}

/** The lines of a receipt, for the email and the PDF. */
export function receiptLines(
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
    | 'couponCode'
    | 'voidedAt'
  >,
  { name, level, credit, credited = [], replaces = null, replacedBy = null, timeZone }: ReceiptContext,
): [label: string, value: string][] {
  const { receiptNumber, purpose, paidAt, amount, currency, periodEndsAt, discount, couponCode } = payment
  const money = (minorUnits: number) => formatMoney(minorUnits, currency)
  // Voiding a payment is not a refund.
  const returned = payment.voidedAt === null ? refundedAmount(payment) : 0
  const byHand = describeManualPayment(payment.reference)
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
    // A fully refunded payment covers no term.
    ...(periodEndsAt === null || isFullyRefunded(payment)
      ? []
      : ([['Paid until', formatLongDate(periodEndsAt, timeZone)]] satisfies [string, string][])),
    ['Paid on', formatLongDate(paidAt, timeZone)],
    ...(byHand === null ? [] : ([['Paid by', byHand]] satisfies [string, string][])),
    ...(credit === 0 && couponCode === null
      ? []
      : ([['Price', money(amount + credit + discount)]] satisfies [string, string][])),
    ...(credit === 0
      ? []
      : ([['Credit for the membership it replaces', `-${money(credit)}`]] satisfies [string, string][])),
    ...(couponCode === null ? [] : ([[`Code ${couponCode}`, `-${money(discount)}`]] satisfies [string, string][])),
    ['Amount', `${money(amount)} ${currency.toUpperCase()}`],
    ...credited.map(({ amount: part, to }): [string, string] => [`Credited to ${to}`, money(part)]),
    ...(returned === 0 ? [] : ([['Returned', money(returned)]] satisfies [string, string][])),
  ]
}
