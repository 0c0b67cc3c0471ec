import { useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import {
  exportPayouts,
  getPayout,
  listPayouts,
  type ConsolePayout,
  type PayoutLineView,
} from '#contract/console-payments.ts'
import { formatLongDate } from '#contract/dates.ts'
import { writeDay } from '#contract/days.ts'
import { formatMoney } from '#contract/money.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { WhenLoaded } from '#web/features/console/console-page.tsx'
import { MonthPage, useLoadedMonth, useMonth } from '#web/features/console/months.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'

const STATES = {
  'on-its-way': ['warn', 'On its way'],
  arrived: ['ok', 'In the bank'],
  failed: ['bad', 'Did not arrive'],
} as const
/** A payout below zero: refunds and fees were more than what was paid, so the provider takes the difference from the bank account. */
const TAKEN = {
  'on-its-way': ['warn', 'To be taken from the bank'],
  arrived: ['quiet', 'Taken from the bank'],
  failed: ['bad', 'Could not be taken'],
} as const
const KINDS = { payment: '', refund: 'Refund', dispute: 'Dispute', other: 'Other' } as const

/** What the card provider sent to the bank, to be laid beside its statement. */
export default function PayoutsPage() {
  const shown = useMonth()
  const { month, name } = shown
  const found = useLoadedMonth(month, () => callAsOfficer(listPayouts, { query: { month } }))
  return (
    <MonthPage
      title="Payouts"
      lead="What the card provider sent to the bank, by the month in which it arrives: the amounts on the bank statement."
      shown={shown}
      other={{ label: 'Payments', path: '/console/payments' }}
      makeFile={() => callAsOfficer(exportPayouts, { query: { month } })}
    >
      <WhenLoaded loaded={found} what="the payouts">
        {({ payouts }) =>
          payouts.length === 0 ? (
            <p className="sheet">Nothing arrives in {name}. What is paid by card reaches the bank after some days.</p>
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
  const [tone, word] = (amount < 0 ? TAKEN : STATES)[state]
  return (
    <li className="sheet entry">
      <div>
        <h2>{formatMoney(amount, currency)}</h2>
        <p className="soft">{writeDay(arrivesOn)}</p>
      </div>
      <Badge tone={tone}>{word}</Badge>
      <Button variant="line" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Close' : 'What it is made of'}
      </Button>
      {isOpen && <Lines id={id} />}
    </li>
  )
}

function Lines({ id }: { id: string }) {
  const found = useLoaded(id, () => callAsOfficer(getPayout, { params: { id } }))
  return (
    <div className="entry-more">
      <WhenLoaded loaded={found} what="the payout">
        {({ payout: { currency }, lines, fees }) => (
          <>
            <p>The provider kept {formatMoney(fees, currency)} as fees.</p>
            <table className="console-table as-list">
              <thead>
                <tr>
                  <th scope="col">Who</th>
                  <th scope="col">Day</th>
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
      <td data-label="Day">{formatLongDate(at)}</td>
      <td data-label="For">{[KINDS[kind], what].filter(Boolean).join(', ')}</td>
      <td data-label="Receipt">{receiptNumber}</td>
      <td data-label="Amount">{formatMoney(amount, currency)}</td>
      <td data-label="Fee">{formatMoney(fee, currency)}</td>
    </tr>
  )
}
