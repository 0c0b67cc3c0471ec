import { useState } from 'react'
import {
  openReceipt,
  refundPayment,
  resendReceipt,
  type ConsoleMember,
  type MemberPaymentRecord,
} from '#contract/console/member.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/console/ui/panel.tsx'
import { refundConsequence, CorrectionDialogs, emailNote, type Correction } from './payment-corrections.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import type { MemberEditor } from './use-member.ts'

const PURPOSES = { start: 'Dues', renewal: 'Renewal', change: 'Change of level' }

/** Payments with their receipts and refunds. */
export function MemberPayments({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const [correcting, setCorrecting] = useState<Correction | null>(null)
  const [refunding, setRefunding] = useState<MemberPaymentRecord | null>(null)
  const { id, payments, mayChange, mayChangeMoney } = member
  const { action, runAction: act } = desk
  if (payments === null) return null
  const of = (payment: MemberPaymentRecord) => ({ id, payment: payment.id })
  return (
    <Panel title="Payments">
      {payments.length === 0 && <p>No payments yet.</p>}
      <ul className="records">
        {payments.map((payment) => (
          <li key={payment.id}>
            <div>
              <p>
                <strong>{formatMoney(payment.amount, payment.currency)}</strong> {PURPOSES[payment.purpose]},{' '}
                {payment.levelName} <PaymentBadge payment={payment} />
              </p>
              <p className="small soft">
                {formatLongDate(payment.paidAt)} · {payment.byHand ?? 'Card'} ·{' '}
                {payment.coupon && `code ${payment.coupon.code} · `}
                {payment.receiptNumber} ·{' '}
                {payment.receiptSentAt
                  ? `receipt sent ${formatLongDate(payment.receiptSentAt)}`
                  : 'receipt not sent yet'}
              </p>
              <PaymentRemarks payment={payment} mayChangeMoney={mayChangeMoney} />
            </div>
            <div className="buttons">
              <Button
                variant="line"
                size="small"
                aria-label={`Open receipt ${payment.receiptNumber}`}
                busy={action.busy === `open ${payment.id}`}
                busyLabel="Opening"
                onClick={() =>
                  void action.run(`open ${payment.id}`, async () =>
                    downloadFile(
                      await callAsOfficer(openReceipt, { params: of(payment) }),
                      `receipt-${payment.receiptNumber}.pdf`,
                    ),
                  )
                }
              >
                Receipt
              </Button>
              {mayChange && (
                <Button
                  variant="line"
                  size="small"
                  aria-label={`Resend receipt ${payment.receiptNumber}`}
                  busy={action.busy === `mail ${payment.id}`}
                  busyLabel="Sending"
                  onClick={() =>
                    void act(
                      `mail ${payment.id}`,
                      () => callAsOfficer(resendReceipt, { params: of(payment), body: {} }),
                      `Receipt ${payment.receiptNumber} was sent to ${member.email} again.`,
                    )
                  }
                >
                  Resend
                </Button>
              )}
              {mayChangeMoney && payment.refund.amount > 0 && (
                <Button
                  variant="line"
                  size="small"
                  aria-label={`Refund ${payment.receiptNumber}`}
                  onClick={() => setRefunding(payment)}
                >
                  Refund
                </Button>
              )}
              {mayChangeMoney && payment.byHand !== null && payment.voided === null && (
                <>
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`Correct ${payment.receiptNumber}`}
                    onClick={() => setCorrecting({ kind: 'correct', payment })}
                  >
                    Correct
                  </Button>
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`Cancel receipt ${payment.receiptNumber}`}
                    onClick={() => setCorrecting({ kind: 'void', payment })}
                  >
                    Cancel receipt
                  </Button>
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
      <ReasonDialog
        open={refunding !== null}
        onClose={() => setRefunding(null)}
        title="Refund this payment?"
        doing={{ label: 'Refund', busyLabel: 'Refunding', isDanger: true }}
        send={async (reason) => {
          if (!refunding) return
          desk.loaded.setValue(await saveAsOfficer(refundPayment, { params: of(refunding), body: { reason } }))
          setRefunding(null)
        }}
      >
        {refunding && (
          <p>
            {formatMoney(refunding.refund.amount, refunding.currency)} will be refunded to the card{' '}
            {refunding.refund.amount === refunding.amount ? 'in full' : '(the rest of this payment)'}. This cannot be
            undone.
            {refunding.credits.length === 0 && refundConsequence(refunding)}{' '}
            {emailNote(member, 'The member gets an email.')}
          </p>
        )}
      </ReasonDialog>
      <CorrectionDialogs member={member} desk={desk} doing={correcting} onClose={() => setCorrecting(null)} />
    </Panel>
  )
}

/** Credits, corrections, and why a card payment cannot be refunded. */
function PaymentRemarks({ payment, mayChangeMoney }: { payment: MemberPaymentRecord; mayChangeMoney: boolean }) {
  const { currency, credits, creditsUsed, creditOwed, voided, replaces, replacedBy, byHand, refund, dispute } = payment
  const money = (amount: number) => formatMoney(amount, currency)
  // Refunds and disputes are shown by the badge.
  const hasBadge = dispute !== null || payment.amountRefunded >= payment.amount
  const remarks = [
    ...credits.map(({ amount, receiptNumber }) => `${money(amount)} of it was credited to ${receiptNumber}.`),
    ...creditsUsed.map(({ amount, receiptNumber }) => `${money(amount)} credit from ${receiptNumber}.`),
    ...(voided ? [`Canceled on ${formatLongDate(voided.at)}: ${voided.reason}`] : []),
    ...(replacedBy ? [`Replaced by ${replacedBy}.`] : []),
    ...(replaces ? [`Replaces ${replaces}.`] : []),
    ...(mayChangeMoney && byHand === null && refund.refusal !== null && !hasBadge ? [refund.refusal] : []),
  ]
  return (
    <>
      {creditOwed > 0 && (
        <p className="small">
          <Badge tone="bad">{money(creditOwed)} owed</Badge> This amount was credited, but the payment was also
          refunded.
        </p>
      )}
      {remarks.map((remark) => (
        <p key={remark} className="small soft">
          {remark}
        </p>
      ))}
    </>
  )
}

/** The status of a payment that was refunded, disputed or canceled. */
export function PaymentBadge({
  payment: { amount, amountRefunded, dispute, currency, voided },
}: {
  payment: Pick<MemberPaymentRecord, 'amount' | 'amountRefunded' | 'dispute' | 'currency'> &
    Partial<Pick<MemberPaymentRecord, 'voided'>>
}) {
  if (voided) return <Badge tone="bad">Canceled</Badge>
  if (dispute === 'open') return <Badge tone="warn">Disputed</Badge>
  if (dispute === 'lost') return <Badge tone="bad">Lost to the bank</Badge>
  if (amount > 0 && amountRefunded >= amount) return <Badge tone="bad">Refunded</Badge>
  if (amountRefunded > 0) return <Badge tone="warn">{formatMoney(amountRefunded, currency)} refunded</Badge>
  return null
}
