import { PAGE_SIZES } from './list-address.rules.ts'
import type { ListState } from './use-list.ts'
import { Button } from '#web/ui/button.tsx'

/** Which rows are shown of how many, how many a page has, and the way to the others. */
export function ListPager({ list, total }: { list: Pick<ListState, 'page' | 'size' | 'change'>; total: number }) {
  const { page, size, change } = list
  const first = (page - 1) * size + 1
  const last = Math.min(page * size, total)
  const go = (next: number) => {
    change({ page: next > 1 ? String(next) : null })
    scrollTo({ top: 0 })
  }
  return (
    <nav className="list-pager" aria-label="Pages">
      <p role="status">
        {total === 0
          ? 'None'
          : `${first.toLocaleString('en-US')}–${last.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`}
      </p>
      <label>
        Rows{' '}
        <select
          className="input"
          value={size}
          onChange={({ target }) => change({ size: target.value === String(PAGE_SIZES[0]) ? null : target.value })}
        >
          {PAGE_SIZES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <div className="segments">
        <Button variant="line" size="small" disabled={page === 1} onClick={() => go(page - 1)}>
          Previous
        </Button>
        <Button variant="line" size="small" disabled={last >= total} onClick={() => go(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  )
}
