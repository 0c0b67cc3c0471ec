import { region } from '#contract/region.ts'
import { useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import {
  exportPayouts,
  getPayout,
  listPayouts,
  type ConsolePayout,
  type PayoutLineView,
} from '#contract/console/money/payouts.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { ledgerMoney } from './ledger-format.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { useAction } from '../shell/use-action.ts'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { downloadFile } from '#web/shared/download-file.ts'
import { addMonths, monthSpan } from './span.rules.ts'
import { SpanBar } from './span-bar.tsx'
import { useSpan } from './use-span.ts'
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

/** Payouts of the card provider, to reconcile with the bank statement: by the month of their arrival. */
export default function PayoutsPage() {
  const span = useSpan()
  const month = span.month ?? span.to.slice(0, 7)
  const found = useLoaded(listPayouts, { query: { month } })
  const action = useAction()
  // Never one month's figures under another month's name.
  const shown = found.isStale ? { ...found, value: null } : found
  const makeFile = async () =>
    downloadFile(await callAsOfficer(exportPayouts, { query: { month } }), `payouts-${month}.csv`)
  return (
    <ConsolePage
      title="Payouts"
      lead="Transfers from the card provider to the bank, by arrival date, as on the bank statement."
      action={
        <Button
          variant="line"
          busy={action.busy !== null}
          busyLabel="Exporting"
          onClick={() => void action.run('export', makeFile)}
        >
          Export
        </Button>
      }
    >
      <ActionMessages action={action} />
      <SpanBar span={{ ...monthSpan(month), thisMonth: addMonths(span.thisMonth, 1) }} />
      <WhenLoaded loaded={shown} what="the payouts">
        {({ payouts }) =>
          payouts.length === 0 ? (
            <Empty title={`No payouts in ${span.name}.`}>Card payments reach the bank after a few days.</Empty>
          ) : (
            <div className="stack" aria-busy={found.isLoading}>
              <dl className="box money-sums payout-sums">
                <div>
                  <dt>Arrived in {span.name}</dt>
                  <dd>
                    <b>{ledgerMoney(arrivedOf(payouts), payouts[0]?.currency ?? region().currency)}</b>
                    <small>{payouts.length === 1 ? '1 payout' : `${payouts.length} payouts`}</small>
                  </dd>
                </div>
              </dl>
              {payouts.map((payout) => (
                <Payout key={payout.id} payout={payout} />
              ))}
            </div>
          )
        }
      </WhenLoaded>
    </ConsolePage>
  )
}

function arrivedOf(payouts: readonly ConsolePayout[]): number {
  return payouts.reduce((sum, { amount, state }) => (state === 'arrived' ? sum + amount : sum), 0)
}

function Payout({ payout }: { payout: ConsolePayout }) {
  const { id, amount, currency, arrivesOn, state } = payout
  const [isOpen, setOpen] = useState(false)
  const [tone, label] = (amount < 0 ? DEBIT_STATES : STATES)[state]
  return (
    <Panel
      title={ledgerMoney(amount, currency)}
      isFlush
      action={
        <span className="buttons">
          <span className="soft">{formatDay(arrivesOn)}</span>
          <Badge tone={tone}>{label}</Badge>
          <Button variant="line" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide details' : 'Show details'}
          </Button>
        </span>
      }
    >
      {isOpen && <Lines id={id} />}
    </Panel>
  )
}

function Lines({ id }: { id: string }) {
  const found = useLoaded(getPayout, { params: { id } })
  return (
    <div className="box-body">
      <WhenLoaded loaded={found} what="the payout">
        {({ payout: { currency }, lines, fees }) => (
          <>
            <p>Fees: {ledgerMoney(fees, currency)}</p>
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
      <td data-label="Amount">{ledgerMoney(amount, currency)}</td>
      <td data-label="Fee">{ledgerMoney(fee, currency)}</td>
    </tr>
  )
}
