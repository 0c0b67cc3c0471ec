import { Button } from '#web/ui/button.tsx'

/** Previous and next buttons for a paginated list. */
export function Pager({ page, hasMore, onPage }: { page: number; hasMore: boolean; onPage(page: number): void }) {
  if (page === 1 && !hasMore) return null
  return (
    <nav className="buttons" aria-label="Pages">
      <Button variant="line" size="small" disabled={page === 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span aria-current="page">Page {page}</span>
      <Button variant="line" size="small" disabled={!hasMore} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
}
