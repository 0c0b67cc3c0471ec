import type { StoredRecordField } from '#contract/member-record/record-fields.ts'
import { recordText } from '#contract/member-record/record-values.ts'
import type { DirectoryEntry } from '#contract/public/my-account/directory.ts'
import { visibleTo, type RecordViewer } from '#server/features/member-record/audience.rules.ts'
import {
  filterValues,
  filterWord,
  matchesWord,
  soughtWords,
  wordsOf,
} from '#server/features/member-record/directory-words.rules.ts'
import type { DirectorySearch } from './directory-people.queries.ts'

const FILTER = 'field.'

/** The search of a query: words, and `field.<key>` for a value that a field has to have. */
export function readSearch({ q = '', ...rest }: Readonly<Record<string, unknown>> & { q?: string }): DirectorySearch {
  const filters = Object.entries(rest).flatMap(([name, value]) =>
    name.startsWith(FILTER) && typeof value === 'string' && value.trim() !== ''
      ? [{ fieldKey: name.slice(FILTER.length), value }]
      : [],
  )
  return { words: soughtWords(q), filters }
}

/** The fields whose values a viewer can see at all, whatever their owners chose. */
export function shownFields(
  fields: readonly StoredRecordField[],
  viewer: Exclude<RecordViewer, 'owner'>,
): StoredRecordField[] {
  return fields.filter((field) =>
    visibleTo(viewer, { field: { ...field, levels: [] }, audience: 'everyone', level: null }),
  )
}

/** Whether what is shown of a person contains what was sought. */
export function isStillFound(
  { firstName, lastName, values }: Pick<DirectoryEntry, 'firstName' | 'lastName' | 'values'>,
  { words, filters }: DirectorySearch,
): boolean {
  const texts = [`${firstName} ${lastName}`, ...values.map(({ value }) => recordText(value))]
  const known = texts.flatMap(wordsOf)
  return (
    words.every((sought) => known.some((word) => matchesWord(sought, word))) &&
    filters.every(({ fieldKey, value }) =>
      values.some((shown) => shown.key === fieldKey && filterValues(shown.value).includes(filterWord(value))),
    )
  )
}
