import type { MemberPayment } from '#contract/billing.ts'
import { formatLongDate, formatMoment } from '#contract/dates.ts'
import { formatMoney } from '#contract/money.ts'

const PURPOSES: Record<MemberPayment['purpose'], string> = {
  start: '',
  renewal: ', renewal',
  change: ', change of level',
}

/** 'Annual Member, renewal, March 2, 2027'. */
export function paymentTitle({ levelName, purpose, chargedAt }: MemberPayment): string {
  return `${levelName}${PURPOSES[purpose]}, ${formatLongDate(chargedAt)}`
}

interface PaymentStep {
  label: string
  /** null: not yet. */
  time: string | null
}

/** What became of a payment, in order. */
export function paymentSteps(payment: MemberPayment): PaymentStep[] {
  const { byHand, chargedAt, confirmedAt, activatedAt, receiptMailedAt } = payment
  return [
    byHand
      ? { label: `${byHand} received`, time: formatLongDate(chargedAt) }
      : { label: 'Card charged', time: formatMoment(chargedAt) },
    { label: byHand ? 'Payment recorded' : 'Payment confirmed', time: formatMoment(confirmedAt) },
    { label: 'Membership active', time: activatedAt && formatMoment(activatedAt) },
    { label: 'Receipt mailed', time: receiptMailedAt && formatMoment(receiptMailedAt) },
  ]
}

/** Credits from and to it, and what replaced it, each in a sentence. */
export function paymentRemarks({
  currency,
  credit = [],
  credited = [],
  replaces,
  replacedBy,
}: MemberPayment): string[] {
  const money = (amount: number) => formatMoney(amount, currency)
  return [
    ...credit.map(({ amount, receiptNumber }) => `${money(amount)} less, credited from receipt ${receiptNumber}.`),
    ...credited.map(({ amount, receiptNumber }) => `${money(amount)} of it was credited to receipt ${receiptNumber}.`),
    ...(replaces ? [`It replaces receipt ${replaces}.`] : []),
    ...(replacedBy ? [`Receipt ${replacedBy} replaces it.`] : []),
  ]
}

/** What came back of it, null when nothing did. */
export function returnedWords({
  canceledAt,
  amount,
  amountRefunded,
  currency,
  dispute,
}: MemberPayment): { words: string; tone: 'ok' | 'bad' } | null {
  if (canceledAt) return { words: `Canceled on ${formatLongDate(canceledAt)}`, tone: 'bad' }
  if (dispute === 'open') return { words: 'Disputed with your bank', tone: 'bad' }
  if (dispute === 'lost') return { words: 'Returned by your bank', tone: 'bad' }
  if (amountRefunded === 0) return null
  const isWhole = amountRefunded >= amount
  return {
    words: isWhole ? 'Returned' : `${formatMoney(amountRefunded, currency)} returned`,
    tone: isWhole ? 'bad' : 'ok',
  }
}
