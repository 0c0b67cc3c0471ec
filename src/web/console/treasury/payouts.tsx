import { useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import {
  exportPayouts,
  getPayout,
  listPayouts,
  type ConsolePayout,
  type PayoutLineView,
} from '#contract/console/payments.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { WhenLoaded } from '../shell/console-page.tsx'
import { MonthPage, useMonthData, useMonth } from './month-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'

const STATES = {
  'on-its-way': ['warn', 'In transit'],
  arrived: ['ok', 'Paid'],
  failed: ['bad', 'Failed'],
} as const
/** Negative payouts: refunds and fees exceeded the payments, so the provider debits the difference from the bank account. */
const DEBIT_STATES = {
  'on-its-way': ['warn', 'Debit pending'],
  arrived: ['quiet', 'Debited'],
  failed: ['bad', 'Debit failed'],
} as const
const KINDS = { payment: '', refund: 'Refund', dispute: 'Dispute', other: 'Other' } as const

/** Payouts of the card provider, to reconcile with the bank statement. */
export default function PayoutsPage() {
  const shown = useMonth()
  const { month, name } = shown
  const found = useMonthData(listPayouts, { query: { month } })
  return (
    <MonthPage
      title="Payouts"
      lead="Transfers from the card provider to the bank, by arrival date, as on the bank statement."
      shown={shown}
      other={{ label: 'Payments', path: '/console/payments' }}
      makeFile={() => callAsOfficer(exportPayouts, { query: { month } })}
    >
      <WhenLoaded loaded={found} what="the payouts">
        {({ payouts }) =>
          payouts.length === 0 ? (
            <p className="card">No payouts in {name}. Card payments reach the bank after a few days.</p>
          ) : (
            <ul className="entries" aria-busy={found.isLoading}>
              {payouts.map((payout) => (
                <Payout key={payout.id} payout={payout} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </MonthPage>
  )
}

function Payout({ payout }: { payout: ConsolePayout }) {
  const { id, amount, currency, arrivesOn, state } = payout
  const [isOpen, setOpen] = useState(false)
  const [tone, label] = (amount < 0 ? DEBIT_STATES : STATES)[state]
  return (
    <li className="card entry">
      <div>
        <h2>{formatMoney(amount, currency)}</h2>
        <p className="soft">{formatDay(arrivesOn)}</p>
      </div>
      <Badge tone={tone}>{label}</Badge>
      <Button variant="line" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide details' : 'Show details'}
      </Button>
      {isOpen && <Lines id={id} />}
    </li>
  )
}

function Lines({ id }: { id: string }) {
  const found = useLoaded(getPayout, { params: { id } })
  return (
    <div className="entry-more">
      <WhenLoaded loaded={found} what="the payout">
        {({ payout: { currency }, lines, fees }) => (
          <>
            <p>Fees: {formatMoney(fees, currency)}</p>
            <table className="console-table as-list">
              <thead>
                <tr>
                  <th scope="col">From</th>
                  <th scope="col">Date</th>
                  <th scope="col">For</th>
                  <th scope="col">Receipt</th>
                  <th scope="col">Amount</th>
                  <th scope="col">Fee</th>
                </tr>
              </thead>
              <tbody>
                {lines.map((line, index) => (
                  <Line key={index} line={line} currency={currency} />
                ))}
              </tbody>
            </table>
          </>
        )}
      </WhenLoaded>
    </div>
  )
}

function Line({ line, currency }: { line: PayoutLineView; currency: string }) {
  const { kind, name, what, accountId, receiptNumber, at, amount, fee } = line
  return (
    <tr>
      <th scope="row">{accountId ? <Link to={`/console/members/${accountId}`}>{name}</Link> : name}</th>
      <td data-label="Date">{formatLongDate(at)}</td>
      <td data-label="For">{[KINDS[kind], what].filter(Boolean).join(', ')}</td>
      <td data-label="Receipt">{receiptNumber}</td>
      <td data-label="Amount">{formatMoney(amount, currency)}</td>
      <td data-label="Fee">{formatMoney(fee, currency)}</td>
    </tr>
  )
}
