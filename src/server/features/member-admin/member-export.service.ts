import { MEMBER_COLUMN_NAMES, MEMBER_COLUMNS } from '#contract/console/import.ts'
import {
  CREDENTIAL_STATE_NAMES,
  MEMBER_LIST_COLUMN_NAMES,
  MEMBER_RENEWAL_NAMES,
  MEMBER_STATE_NAMES,
  type MemberListColumn,
} from '#contract/console/member-list.ts'
import type { RecordColumn, RecordColumnId } from '#contract/console/people/record-columns.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { moneyCell, type CsvCell } from '#server/lib/csv/csv.ts'
import type { RecordEntry } from '#server/features/member-record/record-value.queries.ts'
import type { MemberListRow } from './member-list.repository.ts'
import { recordColumnCells } from './record-columns/record-column-cells.rules.ts'

const NAME = ['Last name', 'First name']

export type ExportColumn = MemberListColumn | RecordColumnId

/** Without columns: those of an import, so that an export can be changed in a spreadsheet and imported again. */
export function memberExportHeading(
  columns: readonly ExportColumn[] | null,
  fields: readonly RecordColumn[],
): string[] {
  if (columns === null) {
    const ofAccount = MEMBER_COLUMNS.map((column) => MEMBER_COLUMN_NAMES[column])
    return [...ofAccount, 'Status', 'Credentials', 'Complimentary', ...fields.map(({ name }) => name)]
  }
  const headings = columns.flatMap((column) => {
    if (column === 'lastPayment') return ['Last payment', 'Last payment amount']
    if (isRecordColumn(column)) return [fields.find(({ id }) => id === column)?.name ?? '']
    return [MEMBER_LIST_COLUMN_NAMES[column]]
  })
  return [...NAME, ...headings]
}

export function memberExportLine(
  row: MemberListRow,
  columns: readonly ExportColumn[] | null,
  {
    levels,
    timeZone,
    fields,
    entries,
  }: {
    levels: ReadonlyMap<string, string>
    timeZone: string
    /** All columns of the member record. */
    fields: readonly RecordColumn[]
    entries: readonly RecordEntry[]
  },
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
  const recorded = recordColumnCells(fields, { entries, level: levelKey })
  if (columns !== null) {
    const chosen = columns.flatMap((column) => (isRecordColumn(column) ? [recorded[column] ?? ''] : cells[column]))
    return [lastName, firstName, ...chosen]
  }
  const person = [email, username, firstName, lastName]
  return [
    ...person,
    ...cells.level,
    ...cells.started,
    ...cells.ends,
    ...cells.status,
    ...cells.credentials,
    ...cells.complimentary,
    ...fields.map(({ id }) => recorded[id] ?? ''),
  ]
}

function isRecordColumn(column: ExportColumn): column is RecordColumnId {
  return column.startsWith('field:')
}
