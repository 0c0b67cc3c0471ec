import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import type { OrderPaymentColumns } from '#server/db/schema/order-schema.ts'
import { describeManualPayment } from './manual-payment.rules.ts'
import { refundedAmount, type Returned } from './refunded-amount.rules.ts'

export type ReceiptFields = [label: string, value: string][]

/** The lines that the receipts of all orders end with: when and how it was paid, the amount, what was returned, and whether it is canceled. */
export function paymentFields(
  order: Returned & Pick<OrderPaymentColumns, 'manualReference' | 'voidedAt'> & { paidAt: number; currency: string },
  timeZone: string,
): ReceiptFields {
  const { paidAt, amount, currency, manualReference, voidedAt } = order
  const byHand = describeManualPayment(manualReference)
  const returned = voidedAt === null ? refundedAmount(order) : 0
  return [
    ['Paid on', formatLongDate(paidAt, timeZone)],
    ...(byHand === null ? [] : ([['Paid by', byHand]] satisfies ReceiptFields)),
    ['Amount', `${formatMoney(amount, currency)} ${currency.toUpperCase()}`],
    ...(returned === 0 ? [] : ([['Returned', formatMoney(returned, currency)]] satisfies ReceiptFields)),
    ...(voidedAt === null ? [] : ([['Canceled', formatLongDate(voidedAt, timeZone)]] satisfies ReceiptFields)),
  ]
}
