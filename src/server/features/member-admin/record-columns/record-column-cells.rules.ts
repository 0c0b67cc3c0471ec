import { recordCell, type RecordColumn } from '#contract/console/people/record-columns.ts'
import { visibleTo } from '#server/features/member-record/audience.rules.ts'
import type { RecordEntry } from '#server/features/member-record/record-value.queries.ts'

/** The cells of some columns of the member record, as officers see them; a column without a value is left out. @param level of the member; null without a membership */
export function recordColumnCells(
  columns: readonly RecordColumn[],
  { entries, level }: { entries: readonly RecordEntry[]; level: string | null },
): Record<string, string> {
  const cells = columns.map((column) => [column.id, recordCell(column, seenValue(column, entries, level))] as const)
  return Object.fromEntries(cells.filter(([, cell]) => cell !== ''))
}

function seenValue({ field }: RecordColumn, entries: readonly RecordEntry[], level: string | null) {
  const entry = entries.find(({ fieldKey }) => fieldKey === field.key)
  const isSeen =
    entry && visibleTo('officer', { field: { ...field, isRetired: false }, audience: entry.audience, level })
  return isSeen ? entry.value : null
}
