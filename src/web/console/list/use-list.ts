import { useCallback, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { localStore } from '#web/session/browser-storage.ts'
import { changeListAddress, isFiltered, readListAddress, viewOf, type ListAddress } from './list-address.rules.ts'

export interface ListState extends ListAddress {
  /** The keys of the visible columns. */
  shownColumns: readonly string[]
  isFiltered: boolean
  /** What a saved view of this state keeps. */
  view: string
  /** Changes the address; null removes a parameter. See `changeListAddress`. */
  change(changes: Record<string, string | null>): void
  /** Sets the values of a filter, or changes those of this moment, which may not have been rendered yet. */
  setFilter(name: string, values: readonly string[] | ((current: readonly string[]) => readonly string[])): void
  /** Adds a value to a filter, or removes it; with `isSingle` it replaces the others. */
  toggleFilter(name: string, value: string, isSingle?: boolean): void
  /** Sorts by a column, or turns its order around. */
  sortBy(column: string): void
  /** Also stored on this device for the list's next visit. */
  setColumns(columns: readonly string[]): void
  /** Removes search and filters; sort and columns stay. */
  clearFilters(): void
}

interface ListOptions {
  /** Names the list where its columns are stored. */
  name: string
  filters: readonly string[]
  /** The columns shown until the officer chooses. */
  columns: readonly string[]
}

/** A list's search, filters, sort, page, columns and open panel, all in the address: back, forward and links work. */
export function useList({ name, filters, columns }: ListOptions): ListState {
  const [params, setParams] = useSearchParams()
  const address = readListAddress(params, filters)
  const storedKey = `list-columns-${name}`
  const stored = localStore.get(storedKey)?.split(',')

  // A second change may come before the first has rendered.
  const latest = useRef(params)
  useEffect(() => {
    latest.current = params
  }, [params])

  const change = useCallback(
    (changes: Record<string, string | null>) => {
      latest.current = changeListAddress(latest.current, changes)
      // Typing a search replaces the entry; every other change can be gone back from.
      setParams(latest.current, { replace: 'q' in changes, preventScrollReset: true })
    },
    [setParams],
  )

  const setFilter: ListState['setFilter'] = (filter, values) => {
    const next =
      typeof values === 'function' ? values(readListAddress(latest.current, filters).filters[filter] ?? []) : values
    change({ [filter]: next.join(',') || null })
  }

  return {
    ...address,
    shownColumns: address.columns ?? stored ?? columns,
    isFiltered: isFiltered(params),
    view: viewOf(params),
    change,
    setFilter,
    toggleFilter: (filter, value, isSingle = false) =>
      setFilter(filter, (chosen) => {
        const others = chosen.filter((one) => one !== value)
        if (others.length < chosen.length) return others
        return isSingle ? [value] : [...chosen, value]
      }),
    sortBy: (column) =>
      change({
        sort: column,
        descending: address.sort === column && !address.isDescending ? 'yes' : null,
      }),
    setColumns(next) {
      localStore.set(storedKey, next.join(','))
      change({ columns: next.join(',') })
    },
    clearFilters: () => change({ q: null, ...Object.fromEntries(filters.map((filter) => [filter, null])) }),
  }
}
