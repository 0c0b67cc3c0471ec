import { useState } from 'react'
import {
  openReceipt,
  refundPayment,
  resendReceipt,
  type ConsoleMember,
  type MemberPaymentRecord,
} from '#contract/console-member.ts'
import { formatLongDate } from '#contract/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { heedOthers } from '#web/features/console/heed-others.ts'
import { saveFile } from '#web/features/console/save-file.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { afterReturnWords, CorrectionDialogs, emailWords, type Correction } from './payment-corrections.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import type { MemberDesk } from './use-member.ts'

const PURPOSES = { start: 'Dues', renewal: 'Renewal', change: 'Change of level' }

/** What was paid, with its receipts and what came back. */
export function MemberMoney({ member, desk }: { member: ConsoleMember; desk: MemberDesk }) {
  const [correcting, setCorrecting] = useState<Correction | null>(null)
  const [refunding, setRefunding] = useState<MemberPaymentRecord | null>(null)
  const { id, payments, mayChange, mayChangeMoney } = member
  const { action, act } = desk
  if (payments === null) return null
  const of = (payment: MemberPaymentRecord) => ({ id, payment: payment.id })
  return (
    <Sheet title="Payments">
      {payments.length === 0 && <p>Nothing was paid yet.</p>}
      <ul className="records">
        {payments.map((payment) => (
          <li key={payment.id}>
            <div>
              <p>
                <strong>{formatMoney(payment.amount, payment.currency)}</strong> {PURPOSES[payment.purpose]},{' '}
                {payment.levelName} <PaymentMark payment={payment} />
              </p>
              <p className="small soft">
                {formatLongDate(payment.paidAt)} · {payment.byHand ?? 'Card'} ·{' '}
                {payment.coupon && `code ${payment.coupon.code} · `}
                {payment.receiptNumber} ·{' '}
                {payment.receiptSentAt
                  ? `receipt mailed ${formatLongDate(payment.receiptSentAt)}`
                  : 'receipt not mailed yet'}
              </p>
              <PaymentRemarks payment={payment} mayChangeMoney={mayChangeMoney} />
            </div>
            <div className="buttons">
              <Button
                variant="line"
                size="small"
                aria-label={`Open receipt ${payment.receiptNumber}`}
                busy={action.busy === `open ${payment.id}`}
                busyLabel="Fetching"
                onClick={() =>
                  void action.run(`open ${payment.id}`, async () =>
                    saveFile(
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
                  aria-label={`Mail receipt ${payment.receiptNumber} again`}
                  busy={action.busy === `mail ${payment.id}`}
                  busyLabel="Mailing"
                  onClick={() =>
                    void act(
                      `mail ${payment.id}`,
                      () => callAsOfficer(resendReceipt, { params: of(payment), body: {} }),
                      `Receipt ${payment.receiptNumber} goes to ${member.email} again.`,
                    )
                  }
                >
                  Mail again
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
        title="Give this payment back?"
        doing={{ label: 'Give it back', busyLabel: 'Asking the card provider', isDanger: true }}
        send={async (reason) => {
          if (!refunding) return
          const refund = () => callAsOfficer(refundPayment, { params: of(refunding), body: { reason } })
          desk.loaded.setValue(await heedOthers(desk.loaded.reload, refund))
          setRefunding(null)
        }}
      >
        {refunding && (
          <p>
            {formatMoney(refunding.refund.amount, refunding.currency)} goes back to the card
            {refunding.refund.amount === refunding.amount ? ' in full' : ', which is what is left of it'}; this cannot
            be undone.
            {refunding.credits.length === 0 && afterReturnWords(refunding)}{' '}
            {emailWords(member, 'The member gets an email.')}
          </p>
        )}
      </ReasonDialog>
      <CorrectionDialogs member={member} desk={desk} doing={correcting} onClose={() => setCorrecting(null)} />
    </Sheet>
  )
}

/** Credits, corrections, and why a card payment cannot be refunded. */
function PaymentRemarks({ payment, mayChangeMoney }: { payment: MemberPaymentRecord; mayChangeMoney: boolean }) {
  const { currency, credits, creditsUsed, creditOwed, voided, replaces, replacedBy, byHand, refund, dispute } = payment
  const money = (amount: number) => formatMoney(amount, currency)
  // What came back, or is disputed, its mark says.
  const isInQuestion = dispute !== null || payment.amountRefunded >= payment.amount
  const remarks = [
    ...credits.map(({ amount, receiptNumber }) => `${money(amount)} of it was credited to ${receiptNumber}.`),
    ...creditsUsed.map(({ amount, receiptNumber }) => `${money(amount)} less because of ${receiptNumber}.`),
    ...(voided ? [`Canceled on ${formatLongDate(voided.at)}: ${voided.reason}`] : []),
    ...(replacedBy ? [`Replaced by ${replacedBy}.`] : []),
    ...(replaces ? [`Replaces ${replaces}.`] : []),
    ...(mayChangeMoney && byHand === null && refund.refusal !== null && !isInQuestion ? [refund.refusal] : []),
  ]
  return (
    <>
      {creditOwed > 0 && (
        <p className="small">
          <Badge tone="bad">{money(creditOwed)} owed</Badge> It was credited, and came back all the same.
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

/** What became of a payment, where there is something to tell. */
export function PaymentMark({
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
