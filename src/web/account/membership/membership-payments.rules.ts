import type { MemberPayment } from '#contract/public/billing.ts'
import { formatLongDate, formatMoment } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'

const PURPOSES: Record<MemberPayment['purpose'], string> = {
  start: '',
  renewal: ', renewal',
  change: ', level change',
}

/** 'Annual Member, renewal'. */
export function paymentName({ levelName, purpose }: MemberPayment): string {
  return levelName + PURPOSES[purpose]
}

/** 'Annual Member, renewal, March 2, 2027'. */
export function paymentTitle(payment: MemberPayment): string {
  return `${paymentName(payment)}, ${formatLongDate(payment.chargedAt)}`
}

interface PaymentStep {
  label: string
  /** null if it has not happened yet. */
  time: string | null
}

/** The steps of a payment, in order. */
export function paymentSteps(payment: MemberPayment): PaymentStep[] {
  const { byHand, chargedAt, confirmedAt, activatedAt, receiptMailedAt } = payment
  return [
    byHand
      ? { label: `${byHand} received`, time: formatLongDate(chargedAt) }
      : { label: 'Card charged', time: formatMoment(chargedAt) },
    { label: byHand ? 'Payment recorded' : 'Payment confirmed', time: formatMoment(confirmedAt) },
    { label: 'Membership active', time: activatedAt && formatMoment(activatedAt) },
    { label: 'Receipt emailed', time: receiptMailedAt && formatMoment(receiptMailedAt) },
  ]
}

/** One sentence for each credit from or to this payment, and for each receipt it replaces. */
export function paymentRemarks({
  currency,
  credit = [],
  credited = [],
  replaces,
  replacedBy,
}: MemberPayment): string[] {
  const money = (amount: number) => formatMoney(amount, currency)
  return [
    ...credit.map(({ amount, receiptNumber }) => `Includes a ${money(amount)} credit from receipt ${receiptNumber}.`),
    ...credited.map(({ amount, receiptNumber }) => `${money(amount)} was credited toward receipt ${receiptNumber}.`),
    ...(replaces ? [`Replaces receipt ${replaces}.`] : []),
    ...(replacedBy ? [`Replaced by receipt ${replacedBy}.`] : []),
  ]
}

/** The refund, cancellation or dispute, or null if there is none. */
export function refundStatus({
  canceledAt,
  amount,
  amountRefunded,
  currency,
  dispute,
}: MemberPayment): { label: string; tone: 'ok' | 'bad' } | null {
  if (canceledAt) return { label: `Canceled on ${formatLongDate(canceledAt)}`, tone: 'bad' }
  if (dispute === 'open') return { label: 'Disputed with your bank', tone: 'bad' }
  if (dispute === 'lost') return { label: 'Refunded by your bank', tone: 'bad' }
  if (amountRefunded === 0) return null
  const isWhole = amountRefunded >= amount
  return {
    label: isWhole ? 'Refunded' : `${formatMoney(amountRefunded, currency)} refunded`,
    tone: isWhole ? 'bad' : 'ok',
  }
}
