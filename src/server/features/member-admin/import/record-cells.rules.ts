import { readRecordCells, type RecordColumn, type RecordColumnId } from '#contract/console/people/record-columns.ts'
import { readRecordValue } from '#contract/member-record/read-record-value.ts'
import { appliesTo } from '#contract/member-record/record-fields.ts'
import { recordText, type RecordValue } from '#contract/member-record/record-values.ts'
import { isSame } from '#server/features/member-record/record-change.rules.ts'
import type { RecordEntry } from '#server/features/member-record/record-value.queries.ts'
import type { CellChange } from './member-import.rules.ts'
import type { RowError } from './member-rows.rules.ts'

/** The values of a row by the key of their field. */
export type RecordValues = Readonly<Record<string, RecordValue>>

const CURE = 'Correct the cell, or leave it empty.'
/** Instead of a value that the officer may not see. */
const EARLIER = 'an earlier import'

/**
 * Reads the cells of the member record. Empty cells say nothing, and fields that members of the level are not asked are left out.
 * @param cells the texts of the columns that the file has
 */
export function readRecordRow(
  cells: Readonly<Partial<Record<RecordColumnId, string>>>,
  columns: readonly RecordColumn[],
  { level, readDay }: { level: string; readDay(text: string): string },
): { values: RecordValues; faults: RowError[] } {
  const values: Record<string, RecordValue> = {}
  const faults: RowError[] = []
  const known = columns.filter(({ id }) => cells[id] !== undefined)
  for (const [field, ofField] of Map.groupBy(known, (column) => column.field)) {
    if (!appliesTo(field, level)) continue
    const cell = (id: RecordColumnId) => (field.kind === 'day' ? readDay(cells[id] ?? '') : (cells[id] ?? ''))
    const read = readRecordValue(field, readRecordCells(ofField, cell))
    if (read.problems) {
      const [sentence = ''] = Object.values(read.problems)
      faults.push({ column: ofField[0]?.id ?? null, sentence: `${sentence}.`, cure: CURE })
    } else if (read.value !== null) values[field.key] = read.value
  }
  return { values, faults }
}

/**
 * What an import changes in the record of an account: fields without a value, and what an import left that its owner has not confirmed. What the member or an
 * officer entered stays.
 */
export function recordChanges(
  values: RecordValues,
  columns: readonly RecordColumn[],
  entries: readonly RecordEntry[],
): CellChange[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const entry = entries.find(({ fieldKey }) => fieldKey === key)
    const isOpen = !entry || (entry.changedBy === 'import' && entry.confirmedOn === null)
    const column = columns.find(({ field }) => field.key === key)
    if (!isOpen || !column || isSame(entry?.value, value)) return []
    return [{ column: column.id, before: entry ? EARLIER : '', after: recordText(value) }]
  })
}
