import {
  exportMemberReportCsv,
  exportMemberReportPdf,
  getMemberReport,
  type MemberReport,
} from '#contract/console/reports.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { shortMonth } from '../home/short-dates.rules.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { ChartKey, StackedAreaChart } from '../ui/charts/charts.tsx'
import { TableScroll } from '../ui/table-scroll.tsx'
import { Panel } from '../ui/panel.tsx'

const plain = (value: number) => value.toLocaleString('en-US')
const PRIVATE = 'The file contains personal data. Keep it safe, and delete it after use.'

/** The report of members for the board: by level over time, joined and lost, renewal rate, who lapses next month. */
export default function MemberReportPage() {
  const found = useLoaded(getMemberReport)
  const action = useAction()
  const save = (format: 'csv' | 'pdf') => {
    const endpoint = format === 'csv' ? exportMemberReportCsv : exportMemberReportPdf
    return action.run(
      format,
      async () => downloadFile(await callAsOfficer(endpoint), `members-report.${format}`),
      PRIVATE,
    )
  }
  return (
    <ConsolePage
      title="Reports"
      action={
        <div className="buttons">
          <Button variant="line" busy={action.busy === 'csv'} busyLabel="Exporting" onClick={() => void save('csv')}>
            Export CSV
          </Button>
          <Button variant="line" busy={action.busy === 'pdf'} busyLabel="Exporting" onClick={() => void save('pdf')}>
            Export PDF
          </Button>
        </div>
      }
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={found} what="the report">
        {(report) => (
          <>
            <ByLevel report={report} />
            <Changes report={report} />
            <Lapsing report={report} />
          </>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function ByLevel({ report: { members } }: { report: MemberReport }) {
  const { levels, months } = members
  const today = months.at(-1)?.counts ?? []
  return (
    <Panel title="Members by level">
      <StackedAreaChart
        rows={months.map(({ counts }) => counts)}
        axis={[shortMonth(months[0]?.month ?? ''), 'Now']}
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

function Changes({ report: { changes } }: { report: MemberReport }) {
  return (
    <Panel
      title="Joined, lost and renewed"
      footer="Lost: a membership ended and was not continued within 60 days. Renewal rate: paid terms that ended in the month and were continued."
      isFlush
    >
      <TableScroll label="Joined, lost and renewed by month, newest first">
        <table className="data-table unfolded">
          <caption className="visually-hidden">Joined, lost and renewed by month, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Month</th>
              {['Joined', 'Returned', 'Lost', 'Terms due', 'Renewed', 'Renewal rate'].map((heading) => (
                <th key={heading} scope="col" className="number">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changes.toReversed().map(({ month, joined, returned, lost, due, renewed }) => (
              <tr key={month}>
                <th scope="row">{shortMonth(month)}</th>
                {[joined, returned, lost, due, renewed].map((count, index) => (
                  <td key={index} className="number">
                    {plain(count)}
                  </td>
                ))}
                <td className="number">{due > 0 ? `${Math.round((renewed / due) * 100)}%` : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Panel>
  )
}

function Lapsing({ report: { lapsing } }: { report: MemberReport }) {
  return (
    <Panel title={`Lapses in ${shortMonth(lapsing.month)} unless renewed`} isFlush>
      {lapsing.members.length === 0 ? (
        <p className="box-body">No membership ends next month without an automatic renewal.</p>
      ) : (
        <TableScroll label="Members whose term ends next month, by name">
          <table className="data-table unfolded">
            <caption className="visually-hidden">Members whose term ends next month, by name</caption>
            <thead>
              <tr>
                {['Name', 'Email', 'Level', 'Ends'].map((heading) => (
                  <th key={heading} scope="col">
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lapsing.members.map(({ id, firstName, lastName, email, level, endsAt }) => (
                <tr key={id}>
                  <th scope="row" className="name">
                    <Link to={`/console/members/${id}`}>
                      {lastName}, {firstName}
                    </Link>
                  </th>
                  <td>{email}</td>
                  <td>{level}</td>
                  <td>{formatLongDate(endsAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </Panel>
  )
}
