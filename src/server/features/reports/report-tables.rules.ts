import type { MemberReport } from '#contract/console/reports.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { MONTHS } from '#contract/dates/days.ts'

/** A table of a report, for a spreadsheet and for paper. */
export interface ReportTable {
  title: string
  headings: string[]
  rows: (string | number)[][]
}

/** `2026-11` as 'November 2026'. */
function monthName(month: string): string {
  const [year = '', number = '1'] = month.split('-')
  return `${MONTHS[Number(number) - 1]} ${year}`
}

/** The report of members as tables, newest month first. */
export function reportTables({ members, changes, lapsing }: MemberReport, timeZone: string): ReportTable[] {
  return [
    {
      title: 'Members by level at the end of each month',
      headings: ['Month', ...members.levels.map(({ name }) => name), 'All'],
      rows: members.months
        .map(({ month, counts }) => [monthName(month), ...counts, counts.reduce((sum, count) => sum + count, 0)])
        .reverse(),
    },
    {
      title: 'Joined, lost and renewed',
      headings: ['Month', 'Joined', 'Returned', 'Lost', 'Terms due', 'Renewed', 'Renewal rate'],
      rows: changes
        .map(({ month, joined, returned, lost, due, renewed }) => [
          monthName(month),
          joined,
          returned,
          lost,
          due,
          renewed,
          renewalRate({ due, renewed }),
        ])
        .reverse(),
    },
    {
      title: `Members whose term ends in ${monthName(lapsing.month)} unless they renew it`,
      headings: ['Name', 'Email', 'Level', 'Ends'],
      rows: lapsing.members.map(({ firstName, lastName, email, level, endsAt }) => [
        `${lastName}, ${firstName}`,
        email,
        level,
        formatLongDate(endsAt, timeZone),
      ]),
    },
  ]
}

/** As a whole percentage; empty when no term was due. */
export function renewalRate({ due, renewed }: { due: number; renewed: number }): string {
  return due === 0 ? '' : `${Math.round((renewed / due) * 100)}%`
}
