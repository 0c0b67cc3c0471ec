import { useEffect, useEffectEvent, useRef } from 'react'
import { Icon } from '#web/ui/icon.tsx'
import { DEFAULT_FILTER, type ArchiveFilter } from './archive-filter.rules.ts'
import type { ArchiveView } from './use-archive-view.ts'

const GRID =
  'M4 3h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1zM15 3h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1zM15 14h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1zM4 14h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1z'
const LIST = 'M3 5h.01M3 12h.01M3 19h.01M8 5h13M8 12h13M8 19h13'

const MAX_SEARCH_LENGTH = 100
const ALL_YEARS = ''

/** The form's id, for a reset button elsewhere on the page. */
export const FILTERS_ID = 'archive-tools'

interface ArchiveToolsProps {
  years: readonly number[]
  view: ArchiveView
  onView(view: ArchiveView): void
  onFilter(wish: ArchiveFilter): void
}

/** Search, year, sort and layout. Fields are uncontrolled, so nothing typed before hydration is lost. */
export function ArchiveFilters({ years, view, onView, onFilter: onWish }: ArchiveToolsProps) {
  const form = useRef<HTMLFormElement | null>(null)
  const emitWish = useEffectEvent(onWish)

  useEffect(() => {
    if (form.current) emitWish(readWish(form.current))
  }, [])

  return (
    <form
      className="archive-tools needs-script"
      id={FILTERS_ID}
      role="search"
      ref={form}
      onInput={({ currentTarget }) => onWish(readWish(currentTarget))}
      onReset={() => onWish(DEFAULT_FILTER)}
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="field archive-search">
        <label htmlFor="archive-search">Search</label>
        <input
          className="input"
          id="archive-search"
          name="q"
          type="search"
          placeholder="Title or subject"
          maxLength={MAX_SEARCH_LENGTH}
          autoComplete="off"
          enterKeyHint="search"
        />
      </div>
      <div className="field">
        <label htmlFor="archive-year">Year</label>
        <select className="input" id="archive-year" name="year">
          <option value={ALL_YEARS}>All years</option>
          {years.map((year) => (
            <option key={year} value={year}>
              {year}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="archive-sort">Sort</label>
        <select className="input" id="archive-sort" name="sort">
          <option value="newest">Newest first</option>
          <option value="oldest">Oldest first</option>
        </select>
      </div>
      <div className="segments" role="group" aria-label="Layout">
        <button type="button" aria-label="Grid view" aria-pressed={view === 'grid'} onClick={() => onView('grid')}>
          <Icon d={GRID} /> Grid
        </button>
        <button type="button" aria-label="List view" aria-pressed={view === 'list'} onClick={() => onView('list')}>
          <Icon d={LIST} /> List
        </button>
      </div>
    </form>
  )
}

function readWish(form: HTMLFormElement): ArchiveFilter {
  const values = new FormData(form)
  const q = values.get('q')
  return {
    q: typeof q === 'string' ? q : '',
    year: values.get('year') === ALL_YEARS ? null : Number(values.get('year')),
    sort: values.get('sort') === 'oldest' ? 'oldest' : 'newest',
  }
}
