import { readRecordFilter, writeRecordFilter } from '#contract/console/people/record-filter.ts'
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
  const set = (filter: Readonly<Record<string, readonly string[]>>) => {
    const text = writeRecordFilter(filter)
    list.setFilter('record', text === '' ? [] : [text])
  }
  const setField = (key: string, values: readonly string[]) => set({ ...chosen, [key]: values })
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
        setFilter: setField,
        toggleFilter(key, value) {
          const values = chosen[key] ?? []
          setField(key, values.includes(value) ? values.filter((one) => one !== value) : [...values, value])
        },
        clearFilters: () => set({}),
      }}
    />
  )
}
