import type { MemberPayment } from '#contract/public/billing.ts'
import { formatMoney } from '#contract/money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Box } from '../box.tsx'
import { paymentRemarks, paymentSteps, paymentTitle, refundStatus } from './membership-payments.rules.ts'
import { ReceiptButton } from './download-button.tsx'
import { MemberDataProblem, useMemberData } from '../member-data.tsx'
import { getPayments } from './membership-payments.calls.ts'

/** The member's payments, each with its receipt and, unfolded, its steps. */
export function MembershipPayments({ version }: { version: unknown }) {
  const state = useMemberData(getPayments, version)
  const payments = state.step === 'shown' ? state.value : []
  return (
    <Box title="Receipts" flush>
      {state.step === 'loading' && (
        <div className="box-body">
          <Skeleton height="5rem" />
        </div>
      )}
      <MemberDataProblem state={state} what="Your payments" />
      {state.step === 'shown' && payments.length === 0 && <p className="box-body soft">No payments yet.</p>}
      {payments.length > 0 && (
        <ol className="payments" reversed>
          {payments.map((payment) => (
            <Payment key={payment.receiptNumber} payment={payment} />
          ))}
        </ol>
      )}
    </Box>
  )
}

function Payment({ payment }: { payment: MemberPayment }) {
  const { receiptNumber, amount, currency, byHand } = payment
  const returned = refundStatus(payment)
  const steps = paymentSteps(payment)
  const isDone = steps.every(({ time }) => time !== null)
  return (
    <li>
      <div className="payment-head">
        <div>
          <h3>{paymentTitle(payment)}</h3>
          <p className="small soft">
            {byHand ?? 'Card'}, receipt {receiptNumber}
          </p>
        </div>
        <span className="amount">{formatMoney(amount, currency)}</span>
        <ReceiptButton number={receiptNumber} />
      </div>
      {returned && <Badge tone={returned.tone}>{returned.label}</Badge>}
      {paymentRemarks(payment).map((sentence) => (
        <p key={sentence} className="small soft">
          {sentence}
        </p>
      ))}
      <details className="payment-steps" open={!isDone}>
        <summary>Steps of this payment</summary>
        <ol className="payment-line">
          {steps.map(({ label, time }) => (
            <li key={label} data-done={time !== null}>
              <span>{label}</span>
              <small>{time ?? 'Waiting'}</small>
            </li>
          ))}
        </ol>
      </details>
    </li>
  )
}
