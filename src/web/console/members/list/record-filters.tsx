import { readRecordFilter, writeRecordFilter, type RecordFilter } from '#contract/console/people/record-filter.ts'
import type { RecordField, RecordKind } from '#contract/member-record/record-fields.ts'
import { FilterChips } from '#web/console/list/filter-chips.tsx'
import type { ListState } from '#web/console/list/use-list.ts'

/** The kinds that a typed value filters; of a postal address, the city. */
const TYPED_KINDS: readonly RecordKind[] = ['line', 'address']

interface RecordFiltersProps {
  fields: readonly RecordField[]
  list: Pick<ListState, 'filters' | 'setFilter'>
}

/** Filters by fields of the member record: options to check, and text to type. */
export function RecordFilters({ fields, list }: RecordFiltersProps) {
  const chosen = readRecordFilter(list.filters['record']?.[0] ?? '')
  const change = (edit: (current: RecordFilter) => RecordFilter) =>
    list.setFilter('record', ([text = '']) => {
      const next = writeRecordFilter(edit(readRecordFilter(text)))
      return next === '' ? [] : [next]
    })
  const filtered = fields.filter(({ kind, choices }) => choices.length > 0 || TYPED_KINDS.includes(kind))
  if (filtered.length === 0) return null

  return (
    <FilterChips
      label="Filters by member fields"
      filters={filtered.map(({ key, label, kind, choices }) => ({
        name: key,
        label: kind === 'address' ? `${label}: city` : label,
        isTyped: choices.length === 0,
        options: [...choices, ''].map((value) => ({ value, label: value === '' ? 'Not entered' : value })),
      }))}
      list={{
        filters: chosen,
        setFilter: (key, values) => change((current) => ({ ...current, [key]: values })),
        toggleFilter: (key, value) =>
          change((current) => {
            const values = current[key] ?? []
            const isSet = values.includes(value)
            return { ...current, [key]: isSet ? values.filter((one) => one !== value) : [...values, value] }
          }),
        clearFilters: () => list.setFilter('record', []),
      }}
    />
  )
}
