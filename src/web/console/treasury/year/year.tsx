import { useSearchParams } from 'react-router'
import { exportJournal, exportYear, getYear, type YearBasis } from '#contract/console/money/year.ts'
import { KIND_NAMES } from '#contract/console/money/payments.ts'
import { MONTHS } from '#contract/dates/days.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { ledgerMoney } from '#web/console/treasury/ledger-format.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useAction } from '#web/console/shell/use-action.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { ICONS } from '#web/console/ui/console-icons.ts'
import { PageTabs } from '#web/console/ui/page-tabs.tsx'
import { Panel, WithRail } from '#web/console/ui/panel.tsx'
import { AccountingPanel } from './accounting-panel.tsx'
import { StatementsPanel } from './statements-panel.tsx'

type Year = ReplyOf<typeof getYear>

/** A year of money: totals by kind and month beside the year before, and what the accountant and the members need of it. */
export default function YearPage() {
  const [params, setParams] = useSearchParams()
  const basis: YearBasis = params.get('basis') === 'fiscal' ? 'fiscal' : 'calendar'
  const asked = /^20\d{2}$/.test(params.get('year') ?? '') ? params.get('year') : null
  const query = { basis, ...(asked !== null && { year: asked }) }
  const loaded = useLoaded(getYear, { query })
  const shown = loaded.isStale ? { ...loaded, value: null } : loaded
  const action = useAction()
  const open = (changes: Record<string, string>) =>
    setParams((before) => ({ ...Object.fromEntries(before), ...changes }), { preventScrollReset: true })

  return (
    <ConsolePage
      title={loaded.value ? `Year ${loaded.value.label}` : 'Year'}
      action={
        <div className="buttons">
          <Button
            variant="line"
            busy={action.busy === 'export'}
            busyLabel="Exporting"
            onClick={() =>
              void action.run('export', async () =>
                downloadFile(await callAsOfficer(exportYear, { query }), `income-${loaded.value?.label ?? 'year'}.csv`),
              )
            }
          >
            Export totals
          </Button>
          <ButtonLink variant="line" to="/console/payments">
            All payments
          </ButtonLink>
        </div>
      }
    >
      <ActionMessages action={action} />
      <PageTabs
        label="Year"
        tabs={(['calendar', 'fiscal'] as const).map((one) => ({
          label: one === 'calendar' ? 'Calendar year' : 'Fiscal year',
          to: `?${new URLSearchParams({ ...(asked !== null && { year: asked }), basis: one })}`,
          isCurrent: basis === one,
        }))}
      />
      <WhenLoaded loaded={shown} what="the year">
        {(year) => (
          <>
            <nav className="span-bar" aria-label="Years">
              <div className="segments">
                <button
                  type="button"
                  className="button line small"
                  aria-label="Previous year"
                  onClick={() => open({ year: String(year.year - 1) })}
                >
                  <Icon d={ICONS.left} />
                </button>
                <h2 className="span-name">{year.label}</h2>
                <button
                  type="button"
                  className="button line small"
                  aria-label="Next year"
                  onClick={() => open({ year: String(year.year + 1) })}
                >
                  <Icon d={ICONS.right} />
                </button>
              </div>
            </nav>
            <WithRail
              rail={
                <>
                  <JournalPanel year={year} />
                  <StatementsPanel
                    year={Number(year.to.slice(0, 4)) - (basis === 'fiscal' && year.from.slice(5, 7) !== '01' ? 1 : 0)}
                    mayChange={year.mayChange}
                  />
                  <AccountingPanel
                    accounts={year.accounts}
                    fiscalYearBeginsIn={year.fiscalYearBeginsIn}
                    mayChange={year.mayChange}
                    onSaved={loaded.reload}
                  />
                </>
              }
            >
              <Totals year={year} />
              <Months year={year} />
              <Methods year={year} />
            </WithRail>
          </>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

/** '+12%' over the year before; empty if there is nothing to compare with. */
function growth(now: number, before: number): string {
  if (before <= 0) return ''
  const percent = Math.round(((now - before) / before) * 100)
  return `${percent > 0 ? '+' : ''}${percent}%`
}

function Totals({ year }: { year: Year }) {
  const { kinds, total, currency } = year
  const money = (cents: number) => ledgerMoney(cents, currency)
  const rows = [...kinds.map((one) => ({ ...one, label: KIND_NAMES[one.kind] })), { ...total, label: 'Total' }]
  return (
    <Panel title="Income by kind" isFlush>
      <table className="data-table">
        <caption className="visually-hidden">Income of {year.label} by kind, beside the year before</caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col" className="number priority-2">
              Received
            </th>
            <th scope="col" className="number priority-2">
              Refunded
            </th>
            <th scope="col" className="number">
              Revenue
            </th>
            <th scope="col" className="number priority-2">
              Year before, to the same day
            </th>
            <th scope="col" className="number">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, received, refunded, revenue, beforeToDate }) => (
            <tr key={label}>
              <th scope="row" className="name">
                {label}
                <span className="folded">
                  {money(received)} received, {money(refunded)} refunded, {money(beforeToDate)} the year before
                </span>
              </th>
              <td className="number priority-2">{money(received)}</td>
              <td className="number priority-2">{money(-refunded)}</td>
              <td className="number stays">{money(revenue)}</td>
              <td className="number priority-2">{money(beforeToDate)}</td>
              <td className="number">{growth(revenue, beforeToDate) || '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function Months({ year: { months, currency, label } }: { year: Year }) {
  const money = (cents: number) => ledgerMoney(cents, currency)
  const most = Math.max(1, ...months.map(({ revenue }) => revenue))
  return (
    <Panel title="Income by month" isFlush>
      <table className="data-table">
        <caption className="visually-hidden">Income of {label} by month</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {(['dues', 'seats', 'sponsorship'] as const).map((kind) => (
              <th key={kind} scope="col" className="number priority-3">
                {KIND_NAMES[kind]}
              </th>
            ))}
            <th scope="col" className="number">
              Revenue
            </th>
            <th scope="col" className="priority-2">
              <span className="visually-hidden">Share of the best month</span>
            </th>
            <th scope="col" className="number priority-2">
              Year before
            </th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, dues, seats, sponsorship, revenue, before }) => (
            <tr key={month}>
              <th scope="row" className="name">
                <Link to={`/console/payments?month=${month}`}>
                  {MONTHS[Number(month.slice(5)) - 1]} {month.slice(0, 4)}
                </Link>
                <span className="folded">
                  {KIND_NAMES.dues} {money(dues)}, {KIND_NAMES.seats} {money(seats)}, {KIND_NAMES.sponsorship}{' '}
                  {money(sponsorship)}
                </span>
              </th>
              <td className="number priority-3">{money(dues)}</td>
              <td className="number priority-3">{money(seats)}</td>
              <td className="number priority-3">{money(sponsorship)}</td>
              <td className="number stays">{money(revenue)}</td>
              <td className="priority-2" aria-hidden="true">
                <span
                  className="month-bar"
                  style={{ ['--part' as string]: `${(Math.max(0, revenue) / most) * 100}%` }}
                />
              </td>
              <td className="number priority-2">{money(before)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function Methods({ year: { methods, currency } }: { year: Year }) {
  if (methods.length === 0) return null
  return (
    <Panel title="How it was paid">
      <ul className="records">
        {methods.map(({ method, received, refunded }) => (
          <li key={method}>
            <div>{method}</div>
            <div>
              {ledgerMoney(received, currency)}
              {refunded > 0 && <span className="soft">, {ledgerMoney(refunded, currency)} refunded</span>}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function JournalPanel({ year: { from, to, label } }: { year: Year }) {
  const action = useAction()
  const download = (format: 'csv' | 'quickbooks') =>
    void action.run(format, async () =>
      downloadFile(
        await callAsOfficer(exportJournal, { query: { from, to, format } }),
        `${format === 'csv' ? 'journal' : 'quickbooks-journal'}-${label}.csv`,
      ),
    )
  return (
    <Panel title="For the accountant">
      <p className="small soft">
        A balanced journal of {label}: payments, refunds, card fees, disputes and payouts, under the account names
        below.
      </p>
      <div className="stack">
        <Button variant="line" busy={action.busy === 'csv'} busyLabel="Exporting" onClick={() => download('csv')}>
          Journal (CSV)
        </Button>
        <Button
          variant="line"
          busy={action.busy === 'quickbooks'}
          busyLabel="Exporting"
          onClick={() => download('quickbooks')}
        >
          QuickBooks Online
        </Button>
        <ActionMessages action={action} />
      </div>
    </Panel>
  )
}
