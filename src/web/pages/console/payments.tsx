import { Link } from '#web/ui/link.tsx'
import { exportMonthPayments, listMonthPayments, type MonthPayment } from '#contract/console-payments.ts'
import { formatLongDate } from '#contract/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { WhenLoaded } from '#web/features/console/console-page.tsx'
import { MonthPage, useMonth } from '#web/features/console/months.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { PaymentMark } from '#web/features/members/member-money.tsx'

/** A month as the treasurer's books want it (issue 8, 4). */
export default function PaymentsPage() {
  const shown = useMonth()
  const { month, name } = shown
  const found = useLoaded(month, () => callAsOfficer(listMonthPayments, { query: { month } }))
  return (
    <MonthPage
      title="Payments"
      lead="Dues and sponsorships, by the month in which they were received, and terms given for nothing."
      shown={shown}
      other={{ label: 'Payouts', path: '/console/payouts' }}
      makeFile={() => callAsOfficer(exportMonthPayments, { query: { month } })}
    >
      <WhenLoaded loaded={found} what="the payments">
        {({ payments, received, returned, kept, currency, failing }) => (
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
              <PaymentTable payments={payments} />
            )}
          </div>
        )}
      </WhenLoaded>
    </MonthPage>
  )
}

function PaymentTable({ payments }: { payments: readonly MonthPayment[] }) {
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
            <td data-label="For">{payment.kind === 'sponsorship' ? `Sponsor, ${payment.what}` : payment.what}</td>
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
                {formatMoney(payment.amount, payment.currency)} <PaymentMark payment={payment} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
