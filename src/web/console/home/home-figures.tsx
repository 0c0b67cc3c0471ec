import { REPORT_WINDOW, type MembersByMonth, type MonthIncome, type RenewalsDue } from '#contract/console/reports.ts'
import { formatDay, MONTHS } from '#contract/dates/days.ts'
import { formatMoney } from '#contract/money.ts'
import { Link } from '#web/ui/link.tsx'
import { BarChart, ChartKey, LineChart, StackedAreaChart } from '../ui/charts/charts.tsx'
import { Panel } from '../ui/panel.tsx'
import { shortDay, shortMonth } from './short-dates.rules.ts'

const plain = (value: number) => value.toLocaleString('en-US')
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)

/** Members by level over two years, with the figures of today. */
export function MembersFigure({ members: { levels, months } }: { members: MembersByMonth }) {
  const today = months.at(-1)?.counts ?? []
  const before = months[0]?.counts ?? []
  const change = sum(today) - sum(before)
  return (
    <Panel title="Members by level" action={<Link to="/console/reports">Report</Link>}>
      <p className="figure-today">
        <b>{plain(sum(today))}</b>
        <span>
          {sum(today) === 1 ? 'current member' : 'current members'},{' '}
          {change === 0 ? 'as many as' : `${plain(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than`}{' '}
          {REPORT_WINDOW.months} months ago
        </span>
      </p>
      <StackedAreaChart
        rows={months.map(({ counts }) => counts)}
        axis={[
          shortMonth(months[0]?.month ?? ''),
          shortMonth(months[Math.floor(months.length / 2)]?.month ?? ''),
          'Now',
        ]}
        table={{
          caption: 'Members by level at the end of each month',
          headings: ['Month', ...levels.map(({ name }) => name)],
          rows: months.map(({ month, counts }) => [shortMonth(month), ...counts]),
        }}
      />
      <ChartKey
        entries={levels.map(({ name }, index) => ({
          label: name,
          value: plain(today[index] ?? 0),
          color: `area-${(index % 5) + 1}`,
        }))}
      />
    </Panel>
  )
}

/** Terms that end soon, by week. */
export function RenewalsFigure({ renewals }: { renewals: RenewalsDue }) {
  const { count, amount, currency, automatic, weeks } = renewals
  const days = REPORT_WINDOW.renewalDays
  return (
    <Panel title="Renewals due" action={<Link to={`/console/members?ending=${days}`}>View members</Link>}>
      <p className="figure-today">
        <b>{plain(count)}</b>
        <span>
          in the next {days} days, {formatMoney(amount, currency)}
        </span>
      </p>
      <BarChart
        bars={weeks.map(({ from, count: value }) => ({ label: from, value }))}
        axis={[shortDay(weeks[0]?.from ?? ''), shortDay(weeks.at(-1)?.from ?? '')]}
        table={{
          caption: 'Renewals due by week',
          headings: ['Week from', 'Renewals'],
          rows: weeks.map(({ from, count: value }) => [shortDay(from), value]),
        }}
      />
      <p className="soft small">
        {plain(automatic)} renew by card. {plain(count - automatic)} renew by hand, and are reminded by email.
      </p>
    </Panel>
  )
}

/** What was received this month, beside the same month of last year. */
export function IncomeFigure({ income: { month, currency, days, yearBefore } }: { income: MonthIncome }) {
  const money = (cents: number) => formatMoney(cents, currency)
  const now = days.at(-1) ?? 0
  const then = yearBefore[days.length - 1] ?? 0
  const name = MONTHS[Number(month.slice(5)) - 1] ?? ''
  const year = Number(month.slice(0, 4))
  return (
    <Panel title="Revenue" action={<Link to="/console/payments">Payments</Link>}>
      <p className="figure-today">
        <b>{money(now)}</b>
        <span>
          {name} so far; {money(then)} by this day in {year - 1}
        </span>
      </p>
      <LineChart
        now={days}
        before={yearBefore}
        format={money}
        axis={['1', '11', '21', '31']}
        table={{
          caption: `Received until the end of each day of ${name}`,
          headings: ['Day', String(year), String(year - 1)],
          rows: yearBefore.map((cents, index) => [
            index + 1,
            index < days.length ? money(days[index] ?? 0) : '',
            money(cents),
          ]),
        }}
      />
      <ChartKey
        entries={[
          { label: `${name} ${year}`, value: money(now), color: 'line-now' },
          { label: `${name} ${year - 1}, whole`, value: money(yearBefore.at(-1) ?? 0), color: 'line-before' },
        ]}
      />
    </Panel>
  )
}

/** `2026-11-23` as 'Monday, November 23, 2026'. */
export function longDay(day: string): string {
  const weekday = new Date(`${day}T12:00:00Z`).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
  return `${weekday}, ${formatDay(day)}`
}
