import { useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import {
  exportMonthPayments,
  listMonthPayments,
  refundRsvpOrder,
  type MonthPayment,
} from '#contract/console/payments.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { WhenLoaded } from '../shell/console-page.tsx'
import { MonthPage, useMonthData, useMonth } from './month-page.tsx'
import { PaymentBadge } from '../members/member/member-payments.tsx'
import { ReasonDialog } from '../members/reason-dialog.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/field.tsx'

/** The payments of one month. */
export default function PaymentsPage() {
  const shown = useMonth()
  const { month, name } = shown
  const found = useMonthData(listMonthPayments, { query: { month } })
  const [refunding, setRefunding] = useState<MonthPayment | null>(null)
  const [refunded, setRefunded] = useState('')
  return (
    <MonthPage
      title="Payments"
      lead="Dues, sponsorships, event seats and complimentary terms, by the month they were received."
      shown={shown}
      other={{ label: 'Payouts', path: '/console/payouts' }}
      makeFile={() => callAsOfficer(exportMonthPayments, { query: { month } })}
    >
      <div role="status">{refunded && <Banner tone="good">{refunded}</Banner>}</div>
      <WhenLoaded loaded={found} what="the payments">
        {({ payments, received, returned, kept, currency, mayRefund, failing }) => (
          <div className="flow" aria-busy={found.isLoading}>
            <dl className="console-figures">
              {[
                ['Received', received],
                ['Refunded', returned],
                ['Revenue', kept],
              ].map(([label, amount]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{formatMoney(Number(amount), currency)}</dd>
                </div>
              ))}
            </dl>
            {failing > 0 && (
              <p>
                <Link to="/console/members?status=PAST_DUE">
                  {failing === 1 ? '1 member’s card is failing' : `${failing} members’ cards are failing`}
                </Link>
              </p>
            )}
            {payments.length === 0 ? (
              <p className="card">No payments in {name}.</p>
            ) : (
              <PaymentTable payments={payments} onRefund={mayRefund ? setRefunding : null} />
            )}
          </div>
        )}
      </WhenLoaded>
      <SeatRefundDialog
        key={refunding?.id ?? ''}
        payment={refunding}
        onClose={() => setRefunding(null)}
        onRefunded={(message) => {
          setRefunding(null)
          setRefunded(message)
          found.reload()
        }}
      />
    </MonthPage>
  )
}

interface SeatRefundDialogProps {
  payment: MonthPayment | null
  onClose(): void
  onRefunded(message: string): void
}

/** Refunds an event payment, with or without releasing the seats. */
function SeatRefundDialog({ payment, onClose, onRefunded }: SeatRefundDialogProps) {
  const [keepsSeats, setKeepsSeats] = useState(false)
  return (
    <ReasonDialog
      open={payment !== null}
      onClose={onClose}
      title="Refund this payment?"
      doing={{ label: 'Refund', busyLabel: 'Refunding', isDanger: true }}
      send={async (reason) => {
        if (!payment) return
        const params = { id: payment.id }
        const { amount } = await callAsOfficer(refundRsvpOrder, { params, body: { reason, keepsSeats } })
        onRefunded(`${formatMoney(amount, payment.currency)} refunded to ${payment.name}. We’ve emailed them.`)
      }}
    >
      {payment && (
        <>
          <p>
            Everything {payment.name} paid for {payment.what} that was not yet refunded goes back to the card. This
            cannot be undone.
          </p>
          <Checkbox
            name="keepsSeats"
            label="Keep their seats"
            checked={keepsSeats}
            onChange={(event) => setKeepsSeats(event.target.checked)}
          />
          <p className="small soft">
            {keepsSeats
              ? 'They keep the seats at no charge.'
              : 'The RSVP is canceled, and the seats are offered to the waitlist.'}
          </p>
        </>
      )}
    </ReasonDialog>
  )
}

interface PaymentTableProps {
  payments: readonly MonthPayment[]
  /** null without permission to refund. */
  onRefund: ((payment: MonthPayment) => void) | null
}

function PaymentTable({ payments, onRefund }: PaymentTableProps) {
  return (
    <table className="console-table as-list">
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">Date</th>
          <th scope="col">For</th>
          <th scope="col">Receipt</th>
          <th scope="col">Paid by</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {payments.map((payment) => (
          <tr key={payment.id}>
            <th scope="row">
              {payment.accountId ? (
                <Link to={`/console/members/${payment.accountId}`}>{payment.name}</Link>
              ) : (
                payment.name
              )}
            </th>
            <td data-label="Date">
              <span className="nowrap">{formatLongDate(payment.paidAt)}</span>
            </td>
            <td data-label="For">{FOR[payment.kind] + payment.what}</td>
            <td data-label="Receipt">
              <span className="nowrap">{payment.receiptNumber || '–'}</span>
            </td>
            <td data-label="Paid by">
              <span>
                {payment.paidBy}
                {payment.reason && (
                  <small className="soft">
                    <br />
                    {payment.reason}
                  </small>
                )}
                {payment.note && (
                  <small className="soft">
                    <br />
                    {payment.note[0]?.toUpperCase()}
                    {payment.note.slice(1)}
                  </small>
                )}
                {payment.coupon && (
                  <small className="soft">
                    <br />
                    Coupon {payment.coupon.code}, {formatMoney(payment.coupon.amount, payment.currency)} off
                  </small>
                )}
              </span>
            </td>
            <td data-label="Amount">
              <span>
                {payment.kind === 'canceled' ? (
                  <span className="nowrap">{formatMoney(-payment.amountRefunded, payment.currency)}</span>
                ) : (
                  <>
                    <span className="nowrap">{formatMoney(payment.amount, payment.currency)}</span>{' '}
                    <PaymentBadge payment={payment} />
                  </>
                )}
                {onRefund && payment.refundable && (
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`Refund ${payment.receiptNumber}`}
                    onClick={() => onRefund(payment)}
                  >
                    Refund
                  </Button>
                )}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const FOR: Record<MonthPayment['kind'], string> = {
  dues: '',
  sponsorship: 'Sponsor, ',
  event: 'Seats, ',
  complimentary: 'Complimentary, ',
  canceled: 'Canceled receipt, ',
}
