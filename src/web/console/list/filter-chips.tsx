import { TextFilter } from '../forms/filter-fields.tsx'
import { FilterChip } from './chip-panel.tsx'
import type { ListState } from './use-list.ts'

export interface Filter {
  name: string
  label: string
  options: readonly { value: string; label: string; count?: number | undefined }[]
  /** Only one value at a time, such as a period. */
  isSingle?: boolean
  /** A typed value besides the options. */
  isTyped?: boolean
}

interface FilterChipsProps {
  filters: readonly Filter[]
  list: Pick<ListState, 'toggleFilter' | 'clearFilters'> & {
    filters: Readonly<Record<string, readonly string[]>>
    setFilter(name: string, values: readonly string[]): void
  }
  /** Names the group. */
  label?: string
}

/** Filters as chips: filters combine with "and", the values of one with "or". */
export function FilterChips({ filters, list, label = 'Filters' }: FilterChipsProps) {
  const set = filters.filter(({ name }) => list.filters[name])
  return (
    <div className="filter-chips" role="group" aria-label={label}>
      {filters.map((filter) => (
        <Chip key={filter.name} filter={filter} list={list} />
      ))}
      {set.length > 1 && (
        <button type="button" className="text-button" onClick={list.clearFilters}>
          Clear all
        </button>
      )}
    </div>
  )
}

function Chip({ filter, list }: { filter: Filter; list: FilterChipsProps['list'] }) {
  const { name, label, options, isSingle, isTyped } = filter
  const chosen = list.filters[name] ?? []
  const chosenText = chosen.map((value) => options.find((option) => option.value === value)?.label ?? value).join(', ')
  const known = options.map(({ value }) => value)
  const typed = chosen.find((value) => !known.includes(value))

  return (
    <FilterChip label={label} chosen={chosen.length > 0 ? chosenText : null} onRemove={() => list.setFilter(name, [])}>
      {() => (
        <fieldset>
          <legend className="visually-hidden">{label}</legend>
          {isTyped && (
            <TextFilter
              label={label}
              name={`filter-${name}`}
              value={typed}
              onChange={(value) =>
                list.setFilter(name, [...chosen.filter((one) => one !== typed), ...(value === '' ? [] : [value])])
              }
            />
          )}
          {options.map(({ value, label: text, count }) => (
            <label key={value} className="check">
              <input
                type={isSingle ? 'radio' : 'checkbox'}
                name={`filter-${name}`}
                checked={chosen.includes(value)}
                onChange={() => list.toggleFilter(name, value, isSingle)}
              />
              {text}
              {count !== undefined && <small>{count.toLocaleString('en-US')}</small>}
            </label>
          ))}
        </fieldset>
      )}
    </FilterChip>
  )
}
