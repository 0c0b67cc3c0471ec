import type { MemberColumn } from '#contract/console/import.ts'
import { headingKey, recognizeColumns } from './member-rows.rules.ts'

/** Which column each heading of a file fills: as an officer chose, or as recognized by the names. */
export function columnsOf({
  columns,
  headings,
}: {
  columns: readonly (MemberColumn | null)[] | null
  headings: readonly string[]
}): readonly (MemberColumn | null)[] {
  return columns ?? recognizeColumns(headings)
}

/**
 * The columns of a new file: what officers chose for a heading before comes first, and a column that is taken then is not recognized a second time.
 * @param earlier the choices by the key of the heading; null is ignored
 */
export function withEarlierChoices(
  headings: readonly string[],
  earlier: ReadonlyMap<string, MemberColumn | null>,
): (MemberColumn | null)[] {
  const isFirst = (column: MemberColumn | null, index: number, all: readonly (MemberColumn | null)[]) =>
    column === null || all.indexOf(column) === index ? column : null
  const chosen = headings.map((heading) => earlier.get(headingKey(heading)) ?? null).map(isFirst)
  const recognized = recognizeColumns(headings)
  return headings.map((heading, index) => {
    if (earlier.has(headingKey(heading))) return chosen[index] ?? null
    const column = recognized[index] ?? null
    return column !== null && chosen.includes(column) ? null : column
  })
}
