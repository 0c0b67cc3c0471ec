import { MEMBER_COLUMN_NAMES, MEMBER_COLUMNS } from '#contract/console/import.ts'
import {
  CREDENTIAL_STATE_NAMES,
  MEMBER_LIST_COLUMN_NAMES,
  MEMBER_RENEWAL_NAMES,
  MEMBER_STATE_NAMES,
  type MemberListColumn,
} from '#contract/console/member-list.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { moneyCell, type CsvCell } from '#server/lib/csv/csv.ts'
import type { MemberListRow } from './member-list.repository.ts'

const NAME = ['Last name', 'First name']

/** Without columns: those of an import, so that an export can be changed in a spreadsheet and imported again. */
export function memberExportHeading(columns: readonly MemberListColumn[] | null): string[] {
  if (columns === null) {
    return [...MEMBER_COLUMNS.map((column) => MEMBER_COLUMN_NAMES[column]), 'Status', 'Credentials', 'Complimentary']
  }
  const headings = columns.flatMap((column) =>
    column === 'lastPayment' ? ['Last payment', 'Last payment amount'] : [MEMBER_LIST_COLUMN_NAMES[column]],
  )
  return [...NAME, ...headings]
}

export function memberExportLine(
  row: MemberListRow,
  columns: readonly MemberListColumn[] | null,
  { levels, timeZone }: { levels: ReadonlyMap<string, string>; timeZone: string },
): CsvCell[] {
  const day = (instant: number | null) => (instant === null ? '' : dayOf(instant, timeZone))
  const { email, username, firstName, lastName, levelKey, startedAt, endsAt } = row
  const cells: Record<MemberListColumn, CsvCell[]> = {
    email: [email],
    status: [MEMBER_STATE_NAMES[row.state]],
    level: [levelKey === null ? '' : (levels.get(levelKey) ?? levelKey)],
    ends: [day(endsAt)],
    credentials: [CREDENTIAL_STATE_NAMES[row.credentials ?? 'none']],
    renewal: [row.renewal === null ? '' : MEMBER_RENEWAL_NAMES[row.renewal]],
    joined: [day(row.joinedAt)],
    lastPayment: row.lastPayment === null ? ['', ''] : [day(row.lastPayment.at), moneyCell(row.lastPayment.amount)],
    username: [username],
    started: [day(startedAt)],
    complimentary: [row.complimentary ?? ''],
  }
  if (columns !== null) return [lastName, firstName, ...columns.flatMap((column) => cells[column])]
  const person = [email, username, firstName, lastName]
  return [
    ...person,
    ...cells.level,
    ...cells.started,
    ...cells.ends,
    ...cells.status,
    ...cells.credentials,
    ...cells.complimentary,
  ]
}
