import { isOwnColumn, type ImportColumn } from '#contract/console/import.ts'
import type { RecordColumn } from '#contract/console/people/record-columns.ts'
import type { ImportSystem } from '#contract/console/people/import-systems.ts'
import { headingKey } from '#server/lib/heading-key.rules.ts'
import { recognizeColumns } from './systems/recognize-columns.rules.ts'

/** Which column each heading of a file fills: as an officer chose, or as recognized by the names. Columns of fields that are no longer in use are ignored. */
export function columnsOf(
  {
    columns,
    headings,
  }: {
    columns: readonly (ImportColumn | null)[] | null
    headings: readonly string[]
  },
  fields: readonly RecordColumn[],
): readonly (ImportColumn | null)[] {
  return (columns ?? recognizeColumns(headings, fields)).map((column) => inUse(column, fields))
}

function inUse(column: ImportColumn | null, fields: readonly RecordColumn[]): ImportColumn | null {
  return isOwnColumn(column) || fields.some(({ id }) => id === column) ? column : null
}

/**
 * The columns of a new file: what officers chose for a heading before comes first, and a column that is taken then is not recognized a second time.
 * @param earlier the choices by the key of the heading; null is ignored
 */
export function withEarlierChoices(
  headings: readonly string[],
  earlier: ReadonlyMap<string, ImportColumn | null>,
  fields: readonly RecordColumn[] = [],
  system: ImportSystem | null = null,
): (ImportColumn | null)[] {
  const isFirst = (column: ImportColumn | null, index: number, all: readonly (ImportColumn | null)[]) =>
    column === null || column === 'status' || all.indexOf(column) === index ? column : null
  const chosen = headings.map((heading) => inUse(earlier.get(headingKey(heading)) ?? null, fields)).map(isFirst)
  const recognized = recognizeColumns(headings, fields, system)
  return headings.map((heading, index) => {
    if (earlier.has(headingKey(heading))) return chosen[index] ?? null
    const column = recognized[index] ?? null
    return column !== null && column !== 'status' && chosen.includes(column) ? null : column
  })
}
