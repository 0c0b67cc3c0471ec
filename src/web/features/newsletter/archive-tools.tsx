import { LayoutGrid, List } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { EVERYTHING, type ArchiveWish } from './archive-choice.rules.ts'
import type { ArchiveView } from './use-archive-view.ts'

const LONGEST_SEARCH = 100
const ALL_YEARS = ''

/** A reset button elsewhere on the page names it. */
export const TOOLS_ID = 'archive-tools'

interface ArchiveToolsProps {
  years: readonly number[]
  view: ArchiveView
  onView(view: ArchiveView): void
  onWish(wish: ArchiveWish): void
}

/** Search, year, sort and layout. The fields keep their own values, so nothing typed before the page came alive is lost. */
export function ArchiveTools({ years, view, onView, onWish }: ArchiveToolsProps) {
  const form = useRef<HTMLFormElement | null>(null)
  const tell = useEffectEvent(onWish)

  useEffect(() => {
    if (form.current) tell(readWish(form.current))
  }, [])

  return (
    <form
      className="archive-tools needs-script"
      id={TOOLS_ID}
      role="search"
      ref={form}
      onInput={({ currentTarget }) => onWish(readWish(currentTarget))}
      onReset={() => onWish(EVERYTHING)}
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
          maxLength={LONGEST_SEARCH}
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
          <LayoutGrid aria-hidden="true" /> Grid
        </button>
        <button type="button" aria-label="List view" aria-pressed={view === 'list'} onClick={() => onView('list')}>
          <List aria-hidden="true" /> List
        </button>
      </div>
    </form>
  )
}

function readWish(form: HTMLFormElement): ArchiveWish {
  const values = new FormData(form)
  const q = values.get('q')
  return {
    q: typeof q === 'string' ? q : '',
    year: values.get('year') === ALL_YEARS ? null : Number(values.get('year')),
    sort: values.get('sort') === 'oldest' ? 'oldest' : 'newest',
  }
}
