import { Button } from '#web/ui/button.tsx'

interface PagerProps {
  /** Starts at 1. */
  page: number
  size: number
  total: number
}

/** The range shown, for a status line. */
export function pageRangeText({ page, size, total }: PagerProps): string {
  const first = (page - 1) * size + 1
  const count = total.toLocaleString('en-US')
  if (total === 0) return 'No results'
  if (first > total) return `No more results; ${count} in total`
  return `${first.toLocaleString('en-US')} to ${Math.min(page * size, total).toLocaleString('en-US')} of ${count}`
}

/** Previous and next buttons for a list with several pages. */
export function Pager({ page, size, total, onPage }: PagerProps & { onPage(page: number): void }) {
  const pages = Math.ceil(total / size)
  if (pages < 2 && page === 1) return null
  return (
    <nav className="pager" aria-label="Pagination">
      {page > 1 && (
        <Button variant="line" size="small" onClick={() => onPage(Math.min(page - 1, pages))}>
          Previous
        </Button>
      )}
      {page < pages && (
        <Button variant="line" size="small" onClick={() => onPage(page + 1)}>
          Next
        </Button>
      )}
      <p>
        Page {page} of {pages}
      </p>
    </nav>
  )
}
