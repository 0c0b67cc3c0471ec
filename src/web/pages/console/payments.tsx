import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { exportMonthPayments, listMonthPayments, type MonthPayment } from '#contract/console-payments.ts'
import { dayOf, formatLongDate } from '#contract/dates.ts'
import { MONTHS } from '#contract/days.ts'
import { formatMoney } from '#contract/money.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { saveFile } from '#web/features/console/save-file.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { PaymentMark } from '#web/features/members/member-money.tsx'
import { Button } from '#web/ui/button.tsx'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/** A month as the treasurer's books want it (issue 8, 4). */
export default function PaymentsPage() {
  const [params, setParams] = useSearchParams()
  const asked = params.get('month') ?? ''
  const [thisMonth] = useState(() => dayOf(Date.now(), 'America/New_York').slice(0, 7))
  const month = MONTH.test(asked) ? asked : thisMonth
  const found = useLoaded(month, () => callAsOfficer(listMonthPayments, { query: { month } }))
  const action = useAction()
  const open = (next: string) => setParams({ month: next }, { replace: true, preventScrollReset: true })

  return (
    <ConsolePage
      title="Payments"
      lead="Dues and sponsorships, by the month in which they were received, and terms given for nothing."
      action={
        <Button
          variant="line"
          busy={action.busy !== null}
          busyLabel="Making the file"
          onClick={() =>
            void action.run('export', async () =>
              saveFile(await callAsOfficer(exportMonthPayments, { query: { month } }), `payments-${month}.csv`),
            )
          }
        >
          Save as CSV
        </Button>
      }
    >
      <ActionMessages action={action} />
      <nav className="pager" aria-label="Months">
        <h2>{nameOf(month)}</h2>
        <Button variant="line" size="small" onClick={() => open(moved(month, -1))}>
          Earlier
        </Button>
        <Button variant="line" size="small" onClick={() => open(moved(month, 1))}>
          Later
        </Button>
      </nav>
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
              <p className="sheet">Nothing was received in {nameOf(month)}.</p>
            ) : (
              <PaymentTable payments={payments} />
            )}
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
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

function nameOf(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return `${MONTHS[(number ?? 1) - 1]} ${year}`
}

function moved(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}
