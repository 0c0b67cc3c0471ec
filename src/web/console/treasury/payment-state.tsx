import { STATE_NAMES, type PaymentLine, type PaymentState } from '#contract/console/money/payments.ts'
import { Badge } from '#web/ui/badge.tsx'

const TONES: Record<PaymentState, 'quiet' | 'ok' | 'warn' | 'bad'> = {
  paid: 'ok',
  'partly-refunded': 'warn',
  refunded: 'quiet',
  disputed: 'warn',
  lost: 'bad',
  canceled: 'quiet',
  complimentary: 'quiet',
}

export function PaymentStateBadge({ state }: { state: PaymentState }) {
  return <Badge tone={TONES[state]}>{STATE_NAMES[state]}</Badge>
}

export const LINE_NAMES: Record<PaymentLine['type'], string> = {
  payment: 'Payment',
  refund: 'Refund',
  dispute: 'Dispute lost',
  canceled: 'Canceled receipt',
  complimentary: 'Complimentary term',
}
