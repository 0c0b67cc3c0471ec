import { useState } from 'react'
import {
  getPayment,
  openPaymentReceipt,
  sendPaymentReceipt,
  type ConsolePayment,
  type PaymentKind,
} from '#contract/console/money/payments.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Link } from '#web/ui/link.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { Panel, WithRail } from '../ui/panel.tsx'
import { showToast } from '../ui/toasts.tsx'
import { ledgerMoney, tableDay } from './ledger-format.ts'
import { LINE_NAMES, PaymentStateBadge } from './payment-state.tsx'
import { CancelPayment, ReplacePayment } from './payment-corrections.tsx'
import { RefundPayment } from './refund-payment.tsx'

const KINDS = { dues: 'Dues', seats: 'Event seats', sponsorship: 'Sponsorship' } as const
const REFUND_STATES = { pending: 'On its way', made: 'Made', refused: 'Rejected by the card provider' } as const

/** One payment with everything that happened to it, and what an officer can do. */
export default function PaymentPage({ kind, id }: { kind: string; id: string }) {
  const params = { kind: kind as PaymentKind, id }
  const loaded = useLoaded(getPayment, { params })
  const action = useAction()
  const [open, setOpen] = useState<'refund' | 'cancel' | 'replace' | null>(null)

  const close = () => setOpen(null)
  const changed = (message: string) => (payment: ConsolePayment) => {
    loaded.setValue(payment)
    close()
    showToast(message)
  }
  const { value } = loaded
  return (
    <ConsolePage
      title={value ? `${formatMoney(value.amount, value.currency)} from ${value.name}` : 'Payment'}
      action={
        <ButtonLink variant="line" to="/console/payments">
          All payments
        </ButtonLink>
      }
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={loaded} what="the payment">
        {(payment) => (
          <WithRail
            rail={
              payment.mayChange && (
                <Panel title="Actions">
                  <div className="stack">
                    {payment.refund.most > 0 && (
                      <Button onClick={() => setOpen('refund')}>{payment.isByHand ? 'Record refund' : 'Refund'}</Button>
                    )}
                    {payment.refund.refusal && <p className="small soft">{payment.refund.refusal}</p>}
                    {payment.mayCorrect && (
                      <>
                        <Button variant="line" onClick={() => setOpen('replace')}>
                          Correct
                        </Button>
                        <Button variant="line" onClick={() => setOpen('cancel')}>
                          Cancel receipt
                        </Button>
                      </>
                    )}
                    <Button
                      variant="line"
                      busy={action.busy === 'receipt'}
                      busyLabel="Opening"
                      onClick={() =>
                        void action.run('receipt', async () =>
                          downloadFile(
                            await callAsOfficer(openPaymentReceipt, { params }),
                            `receipt-${payment.receiptNumber}.pdf`,
                          ),
                        )
                      }
                    >
                      Download receipt
                    </Button>
                    {payment.email && (
                      <Button
                        variant="line"
                        busy={action.busy === 'send'}
                        busyLabel="Sending"
                        onClick={() =>
                          void action.run('send', async () => {
                            const { email } = await callAsOfficer(sendPaymentReceipt, { params, body: {} })
                            showToast(`Receipt sent to ${email}`)
                          })
                        }
                      >
                        Email receipt again
                      </Button>
                    )}
                  </div>
                </Panel>
              )
            }
          >
            <PaymentFacts payment={payment} />
            <RefundPayment
              open={open === 'refund'}
              payment={payment}
              onClose={close}
              onDone={changed('Refund recorded')}
            />
            <CancelPayment
              open={open === 'cancel'}
              payment={payment}
              onClose={close}
              onDone={changed('Receipt canceled')}
            />
            <ReplacePayment
              open={open === 'replace'}
              payment={payment}
              onClose={close}
              onDone={changed('Payment corrected')}
            />
          </WithRail>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function PaymentFacts({ payment }: { payment: ConsolePayment }) {
  const { kind, what, name, email, accountId, receiptNumber, paidBy, paidAt, recordedAt, isByHand, currency } = payment
  const items = [
    { label: 'From', value: accountId === null ? name : <Link to={`/console/members/${accountId}`}>{name}</Link> },
    { label: 'Email', value: email || '–' },
    { label: KINDS[kind], value: what },
    { label: 'Paid by', value: paidBy },
    { label: isByHand ? 'Received on' : 'Paid on', value: formatLongDate(paidAt) },
    ...(isByHand ? [{ label: 'Recorded on', value: formatLongDate(recordedAt) }] : []),
    { label: 'Receipt', value: receiptNumber },
    ...(payment.replaces === null ? [] : [{ label: 'Replaces', value: payment.replaces }]),
    ...(payment.replacedBy === null ? [] : [{ label: 'Replaced by', value: payment.replacedBy }]),
  ]
  return (
    <>
      {payment.canceled && (
        <Banner tone="note">
          The record was canceled on {formatLongDate(payment.canceled.at)}: {payment.canceled.reason}
        </Banner>
      )}
      {payment.refund.failed > 0 && (
        <Banner tone="warn">
          A refund of {formatMoney(payment.refund.failed, currency)} failed at the bank. Make it again, or pay the guest
          another way.
        </Banner>
      )}
      <Panel title="Payment" action={<PaymentStateBadge state={payment.state} />}>
        <KeyValueList items={items} />
      </Panel>
      <Panel title="Lines" isFlush>
        <table className="data-table">
          <caption className="visually-hidden">What was paid and returned</caption>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Day</th>
              <th scope="col" className="number">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {payment.lines.map((line, index) => (
              <tr key={index}>
                <th scope="row">{[LINE_NAMES[line.type], line.paidBy].join(', ')}</th>
                <td>{tableDay(line.at)}</td>
                <td className="number stays">{ledgerMoney(line.amount, currency)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Left</th>
              <td />
              <td className="number stays">
                {ledgerMoney(
                  payment.lines.reduce((sum, { amount }) => sum + amount, 0),
                  currency,
                )}
              </td>
            </tr>
          </tfoot>
        </table>
      </Panel>
      {payment.refunds.length > 0 && (
        <Panel title="Refunds">
          <ul className="records">
            {payment.refunds.map((refund, index) => (
              <li key={index}>
                <div>
                  <b>{formatMoney(refund.amount, currency)}</b>, {REFUND_STATES[refund.state].toLowerCase()}
                  <br />
                  <span className="small soft">
                    {refund.by}, {formatLongDate(refund.at)}
                    {refund.note && `: ${refund.note}`}
                  </span>
                </div>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}
