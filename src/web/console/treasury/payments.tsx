import { useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import {
  exportMonthPayments,
  listMonthPayments,
  refundRsvpOrder,
  type MonthPayment,
} from '#contract/console-payments.ts'
import { formatLongDate } from '#contract/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { WhenLoaded } from '#web/features/console/console-page.tsx'
import { MonthPage, useLoadedMonth, useMonth } from '#web/features/console/months.tsx'
import { PaymentMark } from '#web/features/members/member-money.tsx'
import { ReasonDialog } from '#web/features/members/reason-dialog.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/field.tsx'

/** A month as the treasurer's books want it. */
export default function PaymentsPage() {
  const shown = useMonth()
  const { month, name } = shown
  const found = useLoadedMonth(month, () => callAsOfficer(listMonthPayments, { query: { month } }))
  const [refunding, setRefunding] = useState<MonthPayment | null>(null)
  const [refunded, setRefunded] = useState('')
  return (
    <MonthPage
      title="Payments"
      lead="Dues, sponsorships and seats at events, by the month in which they were received, and terms given for nothing."
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
                ['Returned', returned],
                ['Kept', kept],
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
                  {failing === 1 ? 'The card of one member fails' : `The cards of ${failing} members fail`}
                </Link>{' '}
                right now.
              </p>
            )}
            {payments.length === 0 ? (
              <p className="sheet">Nothing was received in {name}.</p>
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
        onRefunded={(words) => {
          setRefunding(null)
          setRefunded(words)
          found.reload()
        }}
      />
    </MonthPage>
  )
}

interface SeatRefundDialogProps {
  payment: MonthPayment | null
  onClose(): void
  onRefunded(words: string): void
}

/** Gives the money for seats back: with the seats or without. */
function SeatRefundDialog({ payment, onClose, onRefunded }: SeatRefundDialogProps) {
  const [keepsSeats, setKeepsSeats] = useState(false)
  return (
    <ReasonDialog
      open={payment !== null}
      onClose={onClose}
      title="Give the money for these seats back?"
      doing={{ label: 'Give it back', busyLabel: 'Giving it back', isDanger: true }}
      send={async (reason) => {
        if (!payment) return
        const params = { id: payment.id }
        const { amount } = await callAsOfficer(refundRsvpOrder, { params, body: { reason, keepsSeats } })
        onRefunded(`${formatMoney(amount, payment.currency)} go back to ${payment.name}. A letter says so.`)
      }}
    >
      {payment && (
        <>
          <p>
            All that {payment.name} paid for {payment.what} and has not got back goes to the card it came from, and
            cannot be called back.
          </p>
          <Checkbox
            name="keepsSeats"
            label="They keep their seats"
            checked={keepsSeats}
            onChange={(event) => setKeepsSeats(event.target.checked)}
          />
          <p className="small soft">
            {keepsSeats
              ? 'The seats cost nothing from now on.'
              : 'They are taken off the list, and whoever waits longest and fits gets the seats.'}
          </p>
        </>
      )}
    </ReasonDialog>
  )
}

interface PaymentTableProps {
  payments: readonly MonthPayment[]
  /** null for whoever may not. */
  onRefund: ((payment: MonthPayment) => void) | null
}

function PaymentTable({ payments, onRefund }: PaymentTableProps) {
  return (
    <table className="console-table as-list">
      <thead>
        <tr>
          <th scope="col">Who</th>
          <th scope="col">Day</th>
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
            <td data-label="Day">{formatLongDate(payment.paidAt)}</td>
            <td data-label="For">{FOR[payment.kind] + payment.what}</td>
            <td data-label="Receipt">{payment.receiptNumber || '–'}</td>
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
                    Code {payment.coupon.code}, {formatMoney(payment.coupon.amount, payment.currency)} off
                  </small>
                )}
              </span>
            </td>
            <td data-label="Amount">
              <span>
                {payment.kind === 'canceled' ? (
                  formatMoney(-payment.amountRefunded, payment.currency)
                ) : (
                  <>
                    {formatMoney(payment.amount, payment.currency)} <PaymentMark payment={payment} />
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
