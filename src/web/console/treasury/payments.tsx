import { useSearchParams } from 'react-router'
import { MANUAL_METHODS, METHOD_NAMES } from '#contract/console/money/hand-payments.ts'
import {
  exportPayments,
  KIND_NAMES,
  LINE_TYPES,
  listPayments,
  PAYMENT_KINDS,
  PAYMENT_STATES,
  STATE_NAMES,
  type PaymentLine,
} from '#contract/console/money/payments.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { ledgerMoney, tableDay } from './ledger-format.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { ColumnChooser } from '../list/column-chooser.tsx'
import { DataTable, type Column } from '../list/data-table.tsx'
import { FilterChips, type Filter } from '../list/filter-chips.tsx'
import { ListPager } from '../list/list-pager.tsx'
import { ListStates } from '../list/list-states.tsx'
import { ListTools } from '../list/list-tools.tsx'
import { useList } from '../list/use-list.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { Empty } from '../ui/empty.tsx'
import { PageTabs } from '../ui/page-tabs.tsx'
import { AmountFilter } from './amount-filter.tsx'
import { LINE_NAMES, PaymentStateBadge } from './payment-state.tsx'
import { PaymentSumsBox } from './payment-sums.tsx'
import { readPaymentFilters } from './payment-filters.rules.ts'
import { SpanBar } from './span-bar.tsx'
import { useSpan } from './use-span.ts'

const FILTERS: Filter[] = [
  {
    name: 'method',
    label: 'Paid by',
    isSingle: true,
    options: [
      { value: 'card', label: 'Card' },
      ...MANUAL_METHODS.map((value) => ({ value, label: METHOD_NAMES[value] })),
    ],
  },
  {
    name: 'state',
    label: 'Status',
    isSingle: true,
    options: PAYMENT_STATES.map((value) => ({ value, label: STATE_NAMES[value] })),
  },
  {
    name: 'type',
    label: 'Line',
    isSingle: true,
    options: LINE_TYPES.map((value) => ({ value, label: LINE_NAMES[value] })),
  },
]
const FILTER_NAMES = ['kind', 'method', 'state', 'type', 'least', 'most']

const COLUMNS: Column<PaymentLine>[] = [
  { key: 'day', label: 'Day', isSortable: true, cell: ({ at }) => tableDay(at) },
  { key: 'what', label: 'For', cell: forText },
  { key: 'paidBy', label: 'Paid by', priority: 2, cell: ({ paidBy }) => paidBy },
  { key: 'receipt', label: 'Receipt', priority: 3, cell: ({ receiptNumber }) => receiptNumber || '–' },
  { key: 'state', label: 'Status', cell: ({ state }) => <PaymentStateBadge state={state} /> },
  { key: 'note', label: 'Note', priority: 3, cell: ({ note }) => <span title={note ?? ''}>{note}</span> },
  {
    key: 'amount',
    label: 'Amount',
    isSortable: true,
    isNumber: true,
    staysFolded: true,
    cell: ({ amount, currency }) => ledgerMoney(amount, currency),
  },
]
const SHOWN = ['day', 'what', 'paidBy', 'receipt', 'state', 'amount']

/** All payments, refunds and complimentary terms of a month or any other days. */
export default function PaymentsPage() {
  const span = useSpan()
  const list = useList({ name: 'payments', filters: FILTER_NAMES, columns: SHOWN })
  const [params] = useSearchParams()
  const action = useAction()
  const query = readPaymentFilters(params, { from: span.from, to: span.to })
  const loaded = useLoaded(listPayments, { query: { ...query, page: String(list.page), size: String(list.size) } })
  // Never one month's figures under another month's name.
  const shown = loaded.isStale ? { ...loaded, value: null } : loaded
  const { value } = shown

  const makeFile = async () =>
    downloadFile(await callAsOfficer(exportPayments, { query }), `payments-${span.from}-to-${span.to}.csv`)

  const kind = list.filters['kind']?.[0]
  const tab = (wanted: string | null) => {
    const next = new URLSearchParams(params)
    for (const name of ['kind', 'page']) next.delete(name)
    if (wanted !== null) next.set('kind', wanted)
    return `?${next}`
  }

  return (
    <ConsolePage
      title="Payments"
      action={
        <div className="buttons">
          {value?.mayChange && <ButtonLink to="/console/payments/new">Record payment</ButtonLink>}
          {value?.mayChange && (
            <ButtonLink variant="line" to="/console/payments/import">
              Import
            </ButtonLink>
          )}
          <ButtonLink variant="line" to="/console/payments/year">
            Year
          </ButtonLink>
          <Button
            variant="line"
            busy={action.busy !== null}
            busyLabel="Exporting"
            onClick={() => void action.run('export', makeFile)}
          >
            Export
          </Button>
        </div>
      }
    >
      <ActionMessages action={action} />
      <SpanBar span={span} hasDays />
      {value && <PaymentSumsBox found={value} />}
      <PageTabs
        label="Kind"
        tabs={[
          {
            label: 'All',
            to: tab(null),
            isCurrent: kind === undefined,
            count: value?.kinds.reduce((sum, { lines }) => sum + lines, 0),
          },
          ...PAYMENT_KINDS.map((one) => ({
            label: KIND_NAMES[one],
            to: tab(one),
            isCurrent: kind === one,
            count: value?.kinds.find((found) => found.kind === one)?.lines,
          })),
        ]}
      />
      <ListTools
        list={list}
        searchLabel="Name, email, receipt or check number"
        end={<ColumnChooser list={list} columns={COLUMNS} />}
      >
        <FilterChips filters={FILTERS} list={list} />
        <AmountFilter list={list} />
      </ListTools>
      <ListStates
        loaded={shown}
        list={list}
        what="payments"
        isEmpty={({ total }) => total === 0}
        empty={<Empty title={`No payments in ${span.name}.`}>Payments by card appear here by themselves.</Empty>}
      >
        {({ lines, total }) => (
          <>
            <DataTable
              caption={`Payments of ${span.name}`}
              rows={lines}
              rowId={({ id }) => id}
              name={{
                label: 'From',
                sort: 'name',
                text: ({ name }) => name,
                to: (line) =>
                  line.type === 'complimentary'
                    ? `/console/members/${line.accountId}`
                    : `/console/payments/${line.kind}/${line.paymentId}`,
              }}
              columns={COLUMNS}
              list={list}
              summary={(line) => [forText(line), tableDay(line.at), line.paidBy, STATE_NAMES[line.state]].join(', ')}
              actions={actionsOf}
            />
            <ListPager list={list} total={total} />
          </>
        )}
      </ListStates>
    </ConsolePage>
  )
}

function forText({ type, what }: PaymentLine): string {
  return type === 'payment' ? what : `${LINE_NAMES[type]}, ${what}`
}

function actionsOf({ kind, paymentId, accountId, type, at }: PaymentLine) {
  return [
    ...(type === 'complimentary' ? [] : [{ label: 'Open payment', to: `/console/payments/${kind}/${paymentId}` }]),
    ...(accountId === null ? [] : [{ label: 'Open member', to: `/console/members/${accountId}` }]),
    {
      label: 'Payments of this month',
      to: `/console/payments?month=${dayOf(Date.parse(at)).slice(0, 7)}`,
    },
  ]
}
