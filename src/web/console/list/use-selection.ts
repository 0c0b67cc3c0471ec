import { useState } from 'react'

export interface Selection {
  /** The selected ids; with `isAll`, every row that matches the filters is selected instead. */
  ids: ReadonlySet<string>
  isAll: boolean
  count: number
  has(id: string): boolean
  /** Selects or clears a row; with `isRange`, every row from the one toggled last. */
  toggle(id: string, isRange?: boolean): void
  /** Selects or clears all rows of this page. */
  togglePage(): void
  /** Selects every row that matches the filters, also on other pages. */
  selectAll(): void
  clear(): void
  isPageSelected: boolean
}

/** The selected rows of a list; the selection ends when `view`, the list's search and filters, changes. */
export function useSelection(pageIds: readonly string[], total: number, view: string): Selection {
  const [state, setState] = useState<{ view: string; ids: ReadonlySet<string>; isAll: boolean; last: string | null }>({
    view,
    ids: new Set(),
    isAll: false,
    last: null,
  })
  const current = state.view === view ? state : { view, ids: new Set<string>(), isAll: false, last: null }
  const { ids, isAll, last } = current
  const isPageSelected = pageIds.length > 0 && (isAll || pageIds.every((id) => ids.has(id)))

  function rangeTo(id: string): readonly string[] {
    const from = last === null ? -1 : pageIds.indexOf(last)
    const to = pageIds.indexOf(id)
    return from < 0 || to < 0 ? [id] : pageIds.slice(Math.min(from, to), Math.max(from, to) + 1)
  }

  return {
    ids,
    isAll,
    count: isAll ? total : ids.size,
    has: (id) => isAll || ids.has(id),
    toggle(id, isRange = false) {
      // Clearing one of all leaves the others of this page.
      const next = new Set(isAll ? pageIds : ids)
      if (isRange) for (const one of rangeTo(id)) next.add(one)
      else if (!next.delete(id)) next.add(id)
      setState({ view, ids: next, isAll: false, last: id })
    },
    togglePage() {
      const next = new Set(isAll ? [] : ids)
      for (const id of pageIds) {
        if (isPageSelected) next.delete(id)
        else next.add(id)
      }
      setState({ view, ids: next, isAll: false, last: null })
    },
    selectAll: () => setState({ view, ids: new Set(), isAll: true, last: null }),
    clear: () => setState({ view, ids: new Set(), isAll: false, last: null }),
    isPageSelected,
  }
}
